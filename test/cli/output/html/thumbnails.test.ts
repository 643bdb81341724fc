import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Thumbnail, thumbnailsOf } from '../../../../src/cli/output/html/thumbnails.ts';
import type { Artifact } from '../../../../src/domain/index.ts';
import { renderImage } from '../../../../src/synthetic/index.ts';
import { reportOf, withArtifacts } from '../../sample-report.ts';

const MEGABYTE = 1024 * 1024;

async function pictureOf(width: number, height: number): Promise<Artifact> {
  const order = { text: 'A heron', seed: 3, width, height, format: 'png', background: 'opaque' } as const;
  return { title: 'picture', mediaType: 'image/png', bytes: await renderImage(order) };
}

const videoOf = (megabytes: number): Artifact => ({
  title: 'video',
  mediaType: 'video/mp4',
  bytes: new Uint8Array(Math.round(megabytes * MEGABYTE)),
});

async function shownOf(...artifacts: readonly Artifact[]): Promise<readonly (Thumbnail | undefined)[]> {
  const shown = await thumbnailsOf(reportOf([withArtifacts(artifacts)]));
  return artifacts.map((artifact) => shown.get(artifact));
}

async function sizeOf(thumbnail: Thumbnail | undefined): Promise<readonly unknown[]> {
  if (thumbnail?.kind !== 'image') throw new Error('no picture is shown');
  const [head, body = ''] = thumbnail.dataUri.split(',');
  expect(head).toBe('data:image/webp;base64');
  const { width, height, format } = await sharp(Buffer.from(body, 'base64')).metadata();
  return [format, width, height];
}

describe('what a page shows of an artifact', () => {
  it.each([
    [1024, 768, 320, 240],
    [640, 1280, 160, 320],
    [200, 100, 200, 100],
  ])('is a picture of at most 320 pixels: %i × %i becomes %i × %i', async (width, height, ...small) => {
    const [shown] = await shownOf(await pictureOf(width, height));
    expect(await sizeOf(shown)).toEqual(['webp', ...small]);
  });

  it('is a word where a picture cannot be decoded', async () => {
    const whole = await pictureOf(64, 64);
    const [torn, empty] = await shownOf(
      { ...whole, bytes: whole.bytes.slice(0, 30) },
      { ...whole, bytes: new Uint8Array() },
    );
    expect(torn).toEqual({ kind: 'none', why: 'it cannot be decoded' });
    expect(empty).toEqual({ kind: 'none', why: 'it cannot be decoded' });
  });

  it('is a whole video of up to 8 MB', async () => {
    const [small, large] = await shownOf(videoOf(8), videoOf(8.01));
    expect(small?.kind).toBe('video');
    expect(large).toEqual({ kind: 'none', why: 'it is too large for a page: 8.0 MB' });
  });

  it('is not embedded for a video once a page has 32 MB of them', async () => {
    const shown = await shownOf(...[8, 8, 8, 7, 2, 1].map(videoOf));
    expect(shown.map((thumbnail) => thumbnail?.kind)).toEqual(['video', 'video', 'video', 'video', 'none', 'video']);
  });
});
