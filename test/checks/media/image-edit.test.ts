import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { validateCheck } from '../../../src/checks/index.ts';
import { IMAGE_EDIT } from '../../../src/checks/media/image-edit.ts';
import type { CheckResult, CheckSpec } from '../../../src/domain/index.ts';
import { ALPHA_MODELS, BETA_MODELS, GAMMA_MODELS } from '../../../src/wire/index.ts';
import { openStage, type Stage, specOf } from '../stage.ts';
import { drawn } from './drawn.ts';

let stage: Stage;
let folder: string;
beforeAll(async () => {
  stage = await openStage('contract');
  folder = await mkdtemp(join(tmpdir(), 'keyplane-edit-'));
  await writeFile(join(folder, 'wide.png'), await drawn(800, 400));
  await writeFile(join(folder, 'mask.png'), await maskOf(800, 400));
  await writeFile(join(folder, 'notes.png'), 'no image');
});
afterAll(async () => {
  await stage.close();
  await rm(folder, { recursive: true });
});

/** Opaque but for a square in its midst. */
async function maskOf(width: number, height: number): Promise<Uint8Array> {
  const hole = { create: { width: 200, height: 200, channels: 4, background: '#ffffff' } as const };
  const whole = sharp({ create: { width, height, channels: 4, background: '#000000' } });
  return new Uint8Array(
    await whole
      .composite([{ input: hole, blend: 'dest-out' }])
      .png()
      .toBuffer(),
  );
}

/** A bitmap of stripes: 24 bits a pixel, rows of a multiple of four bytes. */
function bitmap(width: number, height: number): Uint8Array {
  const head = Buffer.alloc(54);
  const pixels = Buffer.alloc(width * height * 3, Buffer.concat([Buffer.alloc(96, 40), Buffer.alloc(96, 200)]));
  head.write('BM');
  head.writeUInt32LE(head.length + pixels.length, 2);
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(24, 28);
  head.writeUInt32LE(pixels.length, 34);
  return Buffer.concat([head, pixels]);
}

const edit = (model: string, more: Partial<CheckSpec> = {}) => stage.run({ module: 'image-edit', model, ...more });
const claimsOf = ({ findings }: CheckResult): readonly string[] => findings.map(({ claim }) => claim);

describe('an edit', () => {
  test.each([
    ['alpha-image-2', { width: 1024, height: 1024 }],
    ['alpha-image-1', { width: 1024, height: 1024 }],
    ['beta-imagine-image-2.0', { format: 'jpeg' }],
    ['beta-imagine-image', { format: 'jpeg' }],
    ['gamma-image-2.0', { width: 512, height: 512 }],
    ['gamma-image-edit-plus', { width: 512, height: 512 }],
    ['gamma-image-edit', { format: 'png' }],
  ])('by %s passes with nothing but the model', async (model, facts) => {
    const result = await edit(model);
    expect(result.reason).toBeUndefined();
    expect(result.verdict).toBe('passed');
    expect(result.artifacts).toMatchObject([{ facts }]);
    expect(claimsOf(result)).toContain('the image differs from its source');
  });

  test.each(['beta-imagine-image-2.0', 'gamma-image-edit'])(
    'by %s keeps the proportions of its source',
    async (model) => {
      const result = await edit(model);
      expect(claimsOf(result)).toContain('the image is 1.333 times as wide as high, as its source');
    },
  );

  test('of files next to the manifest, within a mask, passes', async () => {
    const request = { image: 'wide.png', mask: 'mask.png', size: '1536x1024', n: 2, output_format: 'webp' };
    const result = await edit('alpha-image-1', { folder, request });
    expect(result.reason).toBeUndefined();
    expect(result.artifacts).toHaveLength(2);
  });

  test('of several sources passes', async () => {
    const url = `data:image/png;base64,${Buffer.from(await drawn(800, 400)).toString('base64')}`;
    const listed = await edit('beta-imagine-image-2.0', { request: { images: [{ url }, { url }] } });
    expect(listed.reason).toBeUndefined();
    expect(claimsOf(listed)).toContain('the image is 2 times as wide as high, as its source');
    const files = await edit('alpha-image-2', { folder, request: { image: ['wide.png', 'wide.png'] } });
    expect(files.reason).toBeUndefined();
  });

  describe('of a source that cannot be decoded here', () => {
    const uriOf = (bytes: Uint8Array, type: string) =>
      `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;

    /** The check of an edit of these sources, answered with an image. */
    async function edited(image: Uint8Array, sources: readonly string[]): Promise<CheckResult> {
      const choices = [{ message: { content: [{ image: uriOf(image, 'png') }] } }];
      await stage.control.script({ kind: 'answer', method: 'POST', path: '/v1/*', body: { output: { choices } } });
      const content = [...sources.map((image) => ({ image })), { text: 'Make it darker.' }];
      const request = { input: { messages: [{ role: 'user', content }] } };
      return edit('gamma-image-edit', { request });
    }

    test('is held against all else that was asked for', async () => {
      const result = await edited(await drawn(1440, 720), [uriOf(bitmap(512, 256), 'bmp')]);
      expect([result.verdict, result.reason]).toEqual(['passed', undefined]);
      expect(claimsOf(result)).toContain('the image is 2 times as wide as high, as its source');
      expect(claimsOf(result).join()).not.toContain('differs from its source');
    });

    test('is held against its other sources', async () => {
      const source = await drawn(800, 400);
      const result = await edited(source, [uriOf(bitmap(512, 256), 'bmp'), uriOf(source, 'png')]);
      expect(result.reason).toContain('differs from its source');
    });
  });

  test('that asks for other proportions than its source’s is held against those', async () => {
    const result = await edit('beta-imagine-image-2.0', { request: { aspect_ratio: '1:2' } });
    expect(result.reason).toBeUndefined();
    expect(claimsOf(result)).toContain('the image is 0.5 times as wide as high, as requested');
  });

  test('that is not as expected fails', async () => {
    const result = await edit('alpha-image-2', { expect: { minWidth: 2000 } });
    expect(result).toMatchObject({ verdict: 'failed' });
    expect(result.reason).toContain('at least 2000 pixels wide');
  });
});

describe('an edit that is checked offline', () => {
  const issuesOf = (model: string, request: CheckSpec['request']) =>
    validateCheck(specOf({ module: 'image-edit', model, request, folder }));

  test.each(
    [...Object.keys(ALPHA_MODELS), ...Object.keys(BETA_MODELS), ...Object.keys(GAMMA_MODELS)].filter((model) =>
      IMAGE_EDIT.accepts?.(model),
    ),
  )('by %s has no issue by itself', async (model) => {
    expect(await issuesOf(model, {})).toEqual([]);
  });

  test('is for no model that only generates, or does neither', () => {
    for (const model of ['gamma-image-max', 'alpha-chat-1', 'delta-H3'])
      expect(IMAGE_EDIT.accepts?.(model)).toBe(false);
    expect(IMAGE_EDIT.accepts?.('alpha-image-2', 'beta-edit')).toBe(false);
  });

  test.each<[string, CheckSpec['request'], string]>([
    ['a file that is not there', { image: 'none.png' }, 'image'],
    ['a file that is not an image', { image: 'notes.png' }, 'image'],
    ['a mask of another size', { mask: 'mask.png' }, 'mask'],
    ['a size that the model does not take', { size: '640x480' }, 'size'],
  ])('with %s has an issue there', async (_title, request, field) => {
    const issues = await issuesOf('alpha-image-1', request);
    expect(issues.map(({ path }) => path.slice(0, 2))).toEqual([['request', field]]);
  });
});
