import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IMAGE } from '../../../src/checks/media/image.ts';
import type { CheckResult, CheckSpec } from '../../../src/domain/index.ts';
import {
  ALPHA_MODELS,
  BETA_MODELS,
  findFamily,
  GAMMA_MODELS,
  requestDiagnostics,
  tryFindFamily,
} from '../../../src/wire/index.ts';
import { openStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('contract');
});
afterAll(() => stage.close());

const image = (model: string, more: Partial<CheckSpec> = {}) => stage.run({ module: 'image', model, ...more });
const brokenIn = ({ findings }: CheckResult): readonly string[] =>
  findings.filter(({ holds }) => !holds).map(({ claim }) => claim);

describe('an image', () => {
  test.each([
    ['alpha-image-2', 'png', 1024, 1024],
    ['alpha-image-1', 'png', 1024, 1024],
    ['beta-imagine-image-2.0', 'jpeg', 1024, 1024],
    ['beta-imagine-image', 'jpeg', 1024, 1024],
    ['gamma-image-2.0', 'png', 512, 512],
    ['gamma-image-max', 'png', 1664, 928],
  ])('of %s passes with nothing but the model', async (model, format, width, height) => {
    const result = await image(model);
    expect(result.reason).toBeUndefined();
    expect(result.verdict).toBe('passed');
    expect(result.artifacts).toHaveLength(1);
    expect(result.artifacts[0]).toMatchObject({ mediaType: `image/${format}`, facts: { format, width, height } });
    expect(result.exchanges).toHaveLength(1);
  });

  test.each<[string, CheckSpec['request'], number]>([
    ['alpha-image-2', { n: 2, size: '1536x1024', output_format: 'webp', background: 'transparent' }, 2],
    ['alpha-image-1', { size: null, quality: null, output_format: 'jpeg' }, 1],
    ['beta-imagine-image', { n: 2, aspect_ratio: '16:9', response_format: 'b64_json' }, 2],
    ['beta-imagine-image-2.0', { aspect_ratio: '19.5:9', resolution: '2k' }, 1],
    ['gamma-image-2.0', { parameters: { n: 2, size: '768*512' } }, 2],
  ])('of %s with %j passes', async (model, request, count) => {
    const result = await image(model, { request, expect: { count } });
    expect(result.reason).toBeUndefined();
    expect(result.verdict).toBe('passed');
    expect(result.artifacts).toHaveLength(count);
  });

  test('that is not as expected fails, and reports what was found', async () => {
    const result = await image('alpha-image-2', { expect: { format: 'webp', minWidth: 2000, count: 3, height: 1024 } });
    expect(result.verdict).toBe('failed');
    expect(brokenIn(result)).toEqual([
      'there are 3 images, as expected',
      'the image is webp, as expected',
      'the image is at least 2000 pixels wide, as expected',
    ]);
    expect(result.reason).toContain('found 1');
  });

  test('passes in the form of deployed gateways', async () => {
    const deployed = await openStage('deployed');
    for (const model of ['alpha-image-2', 'beta-imagine-image', 'gamma-image-2.0']) {
      expect((await deployed.run({ module: 'image', model })).reason).toBeUndefined();
    }
    await deployed.close();
  });

  test('whose answer breaks off, is a page or is refused fails', async () => {
    for (const fault of [{ kind: 'truncated' }, { kind: 'html' }, { kind: 'status', code: 400 }]) {
      await stage.control.script({ ...fault, path: '/v1/images/generations' });
      expect((await image('alpha-image-2')).verdict).toBe('failed');
    }
  });

  test.each(['file:///etc/passwd', 'data:image/png;base64,@'])(
    'whose link is %s fails, and counts as paid for',
    async (url) => {
      const path = '/v1/images/generations';
      await stage.control.script({ kind: 'answer', status: 200, path, body: { created: 1, data: [{ url }] } });
      const { code, cost } = await image('beta-imagine-image');
      expect([code, cost.charged]).toEqual(['media.damaged', undefined]);
    },
  );

  test('whose link leads nowhere fails', async () => {
    await stage.control.script({ kind: 'status', code: 404, path: '/files/*' });
    const result = await image('beta-imagine-image');
    expect(result).toMatchObject({ verdict: 'failed', code: 'gateway.refused' });
  });
});

describe('the request for an image', () => {
  const asked = (model: string) => IMAGE.buildRequest?.(model, { request: {} });

  test.each([...Object.keys(ALPHA_MODELS), ...Object.keys(BETA_MODELS), ...Object.keys(GAMMA_MODELS)])(
    'of %s keeps to the contract by itself, where it makes images',
    (model) => {
      const draft = asked(model);
      expect(draft === undefined).toBe(GAMMA_MODELS[model]?.generates === false);
      expect(IMAGE.accepts?.(model)).toBe(draft !== undefined);
      if (draft) expect(requestDiagnostics(findFamily(draft.family), draft.body, { model })).toEqual([]);
    },
  );

  test('is there for models of those families that nobody has reported us of, and for no others', () => {
    expect(asked('alpha-image-9')?.family).toBe(tryFindFamily('generateImages', 'alpha-image-9')?.id);
    expect(asked('alpha-chat-1')).toBeUndefined();
    expect(IMAGE.accepts?.('delta-H3')).toBe(false);
    expect(IMAGE.accepts?.('alpha-image-2', 'beta-image')).toBe(false);
  });
});
