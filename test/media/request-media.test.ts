import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readRequestMedia } from '../../src/media/index.ts';
import type { Family, MediaItem, Upload } from '../../src/wire/index.ts';
import { picture, wav } from './samples.ts';

const Body = z.looseObject({
  files: z.array(z.union([z.string(), z.custom<Upload>((value) => value !== null && typeof value === 'object')])),
});
type Body = z.input<typeof Body>;

/** A family that lets a test see how often a source is looked at. */
function familyOf(seen: string[] = []): Family<Body> {
  const items = ({ files }: Body): readonly MediaItem[] =>
    files.map((source, index) => ({ path: `files[${index}]`, source }));
  return {
    id: 'chat',
    title: 'A family of files',
    endpoint: 'chat',
    form: 'json',
    body: Body,
    rules: [],
    media: [
      { field: 'files[]', limits: { kind: 'image', formats: ['png'] }, items },
      {
        field: 'seen',
        limits: { kind: 'image', formats: ['png'] },
        items: (body) => {
          seen.push('asked');
          return items(body);
        },
      },
    ],
  };
}

const dataUri = (bytes: Uint8Array, type = 'image/png') =>
  `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;
const item = (source: MediaItem['source']): MediaItem => ({ path: 'files[0]', source });

describe('the files of a request', () => {
  it('are recognized in uploads and data URIs by content, not by name', async () => {
    const png = await picture('png');
    const upload = { name: 'film.mp4', bytes: png };
    const uri = dataUri(wav(1), 'image/png');
    const knownOf = await readRequestMedia(familyOf(), { files: [upload, uri] });
    expect(knownOf(item(upload))).toMatchObject({ format: 'png', width: 64, height: 48 });
    expect(knownOf(item(uri))).toMatchObject({ kind: 'audio', format: 'wav', seconds: 1 });
  });

  it('are unreadable when their bytes are not media, and unknown when they are not available', async () => {
    const empty = { bytes: new Uint8Array() };
    const garbage = dataUri(Buffer.from('just words'));
    const broken = 'data:image/png;base64,@@@@';
    const url = 'https://example.com/picture.png';
    const knownOf = await readRequestMedia(familyOf(), { files: [empty, garbage, broken, url, 'mm_file://7'] });
    for (const source of [empty, garbage, broken]) expect(knownOf(item(source))).toBe('unreadable');
    for (const source of [url, 'mm_file://7', 'https://example.com/never-seen']) {
      expect(knownOf(item(source))).toBeUndefined();
    }
  });

  it('are read once, however often the request contains them', async () => {
    const bytes = await picture('png');
    let reads = 0;
    const upload = {
      get bytes() {
        reads += 1;
        return bytes;
      },
    };
    const once = await readRequestMedia(familyOf(), { files: [upload] });
    const readsOfOne = reads;
    reads = 0;
    await readRequestMedia(familyOf(), { files: [upload, upload, upload] });
    // Only its identity is asked for again.
    expect(reads).toBeLessThanOrEqual(readsOfOne + 4);
    expect(once(item(upload))).toMatchObject({ format: 'png' });
  });

  it('are unknown in an invalid body, without an error', async () => {
    const seen: string[] = [];
    for (const body of [undefined, null, 7, 'text', [], {}, { files: 'one' }, { files: [1] }, { files: [null] }]) {
      const knownOf = await readRequestMedia(familyOf(seen), body);
      expect(knownOf(item('data:image/png;base64,AAAA'))).toBeUndefined();
    }
    expect(seen).toEqual([]);
  });
});
