import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { IMAGE_STREAM } from '../../../src/checks/media/image-stream.ts';
import type { CheckResult, CheckSpec } from '../../../src/domain/index.ts';
import { ALPHA_MODELS, findFamily, NATIVE_IMAGE_MODELS, requestDiagnostics } from '../../../src/wire/index.ts';
import { openStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('contract');
});
afterEach(() => stage.control.clearFaults());
afterAll(() => stage.close());

const stream = (model: string, more: Partial<CheckSpec> = {}) => stage.run({ module: 'image-stream', model, ...more });
const brokenIn = ({ findings }: CheckResult): readonly string[] =>
  findings.filter(({ holds }) => !holds).map(({ claim }) => claim);
const titlesOf = ({ artifacts }: CheckResult): readonly string[] => artifacts.map(({ title }) => title);

describe('an image in a stream', () => {
  test.each([
    ['alpha-image-2', ['partial image 1', 'the image']],
    ['alpha-image-1', ['partial image 1', 'the image']],
    ['eta-2.5-flash-image', ['the image']],
    ['eta-3.1-flash-image', ['the image']],
  ])('of %s passes with nothing but the model', async (model, titles) => {
    const result = await stream(model);
    expect(result.reason).toBeUndefined();
    expect(result.verdict).toBe('passed');
    expect(titlesOf(result)).toEqual(titles);
    expect(result.firstByteMs).toEqual(expect.any(Number));
  });

  test.each<[string, CheckSpec['request'], number]>([
    ['alpha-image-2', { partial_images: 3, n: 2, output_format: 'webp', size: '1536x1024' }, 8],
    ['alpha-image-2', { partial_images: 0, background: 'transparent' }, 1],
    ['alpha-image-1', { partial_images: null, output_format: 'jpeg' }, 1],
    ['eta-2.5-flash-image', { generationConfig: { imageConfig: { aspectRatio: '21:9' } } }, 1],
    ['eta-3.1-flash-image', { generationConfig: { imageConfig: { aspectRatio: '1:8', imageSize: '2K' } } }, 1],
    ['eta-3.1-flash-image', { generationConfig: { responseModalities: ['IMAGE'] } }, 1],
  ])('of %s with %j passes', async (model, request, artifacts) => {
    const result = await stream(model, { request });
    expect(result.reason).toBeUndefined();
    expect(result.artifacts).toHaveLength(artifacts);
  });

  test.each(['alpha-image-2', 'eta-3.1-flash-image'])('of %s that is not as expected fails', async (model) => {
    const result = await stream(model, { expect: { minWidth: 3000, format: 'png', count: 1 } });
    expect(result.verdict).toBe('failed');
    expect(brokenIn(result)).toEqual(['the image is at least 3000 pixels wide, as expected']);
  });

  test.each(['alpha-image-2', 'eta-2.5-flash-image'])(
    'of %s that breaks off fails, and shows what came',
    async (model) => {
      for (const kind of ['no-final-event', 'truncated']) {
        await stage.control.script({ kind, path: '/v1*' });
        const result = await stream(model);
        expect(result.verdict).toBe('failed');
        expect(result.exchanges).toHaveLength(1);
      }
    },
  );
});

describe('an edit in a stream', () => {
  const edit = (more: Partial<CheckSpec> = {}) =>
    stage.run({ module: 'image-edit-stream', model: 'alpha-image-2', ...more });

  test.each<[CheckSpec['request'], readonly string[]]>([
    [{}, ['partial image 1', 'the image']],
    [{ partial_images: 0, n: 2, output_format: 'webp' }, ['image 1', 'image 2']],
  ])('with %j passes', async (request, titles) => {
    const result = await edit({ request });
    expect(result.reason).toBeUndefined();
    expect([result.verdict, titlesOf(result)]).toEqual(['passed', titles]);
  });

  test('that gives back its source fails', async () => {
    await stage.control.script({ kind: 'pictures', how: 'unchanged', path: '/v1*' });
    expect(brokenIn(await edit())).toContain('the image differs from its source');
  });
});

describe('the request for a stream', () => {
  test.each([...Object.keys(ALPHA_MODELS), ...Object.keys(NATIVE_IMAGE_MODELS)])(
    'of %s keeps to the contract',
    (model) => {
      const draft = IMAGE_STREAM.buildRequest?.(model, { request: {} });
      expect(draft && requestDiagnostics(findFamily(draft.family), draft.body, { model })).toEqual([]);
    },
  );

  test('is there for models that stream images, by their names or a family that is named', () => {
    expect(IMAGE_STREAM.accepts?.('eta-9-image')).toBe(true);
    expect(IMAGE_STREAM.accepts?.('eta-embedding-001')).toBe(false);
    expect(IMAGE_STREAM.accepts?.('beta-imagine-image')).toBe(false);
    expect(IMAGE_STREAM.accepts?.('my-painter')).toBe(false);
    expect(IMAGE_STREAM.accepts?.('my-painter', 'native-image')).toBe(true);
    expect(IMAGE_STREAM.accepts?.('alpha-image-2', 'native-image')).toBe(false);
  });
});
