import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { CheckResult, CheckSpec } from '../../../src/domain/index.ts';
import { openCallbackReceiver } from '../../../src/gateway/index.ts';
import { openStage, type Stage } from '../stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('contract');
});
afterEach(() => stage.control.clearFaults());
afterAll(() => stage.close());

type Spec = Pick<CheckSpec, 'module'> & Partial<CheckSpec>;

/** The code of the fault, and the claims that do not hold; else the verdict. */
const whyOf = ({ verdict, findings, code }: CheckResult): readonly (string | undefined)[] =>
  verdict === 'failed' ? [code, ...findings.filter(({ holds }) => !holds).map(({ claim }) => claim)] : [verdict];

/** Runs a check while the gateway injects a failure into every paid request. */
async function runWithFailure(fault: object, spec: Spec, options = {}): Promise<readonly (string | undefined)[]> {
  await stage.control.script({ method: 'POST', path: '/v1*', ...fault });
  return whyOf(await stage.run(spec, options));
}

const alpha: Spec = { module: 'image', model: 'alpha-image-2' };
const beta: Spec = { module: 'image', model: 'beta-imagine-image' };
const gamma: Spec = { module: 'image', model: 'gamma-image-2.0' };
const alphaEdit: Spec = { module: 'image-edit', model: 'alpha-image-2' };
const betaEdit: Spec = { module: 'image-edit', model: 'beta-imagine-image' };
const gammaEdit: Spec = { module: 'image-edit', model: 'gamma-image-edit' };
const alphaStream: Spec = { module: 'image-stream', model: 'alpha-image-2' };
const nativeStream: Spec = { module: 'image-stream', model: 'eta-3.1-flash-image' };

const asking = (spec: Spec, request: CheckSpec['request']): Spec => ({ ...spec, request });
const nameOf = ({ module, model }: Spec): string => `${module} ${model}`;

describe('images that are', () => {
  const each = [alpha, beta, gamma, alphaEdit, betaEdit, gammaEdit, alphaStream, nativeStream];

  const rows: readonly (readonly [how: string, claim: RegExp, specs: readonly Spec[]])[] = [
    ['flat', /is not a single colour$/, each],
    ['resized', /size|wide as high/, each],
    ['corrupt', /can be decoded completely$/, each],
    ['other-format', /is png|the media type that the answer declares/, each],
    ['one-less', /the answer has one image/, [alpha, beta, gamma, alphaEdit, betaEdit, gammaEdit]],
    ['unchanged', /differs from its source$/, [alphaEdit, betaEdit, gammaEdit]],
  ];
  const cells = rows.flatMap(([how, claim, specs]) => specs.map((spec) => ({ how, claim, spec, name: nameOf(spec) })));

  test.each(cells)('$how are found by $name', async ({ how, claim, spec }) => {
    expect(await runWithFailure({ kind: 'pictures', how }, spec)).toContainEqual(expect.stringMatching(claim));
  });

  const stored = { storage_options: { filename: 'a.jpg', public_url: true } };

  test.each<[object, string]>([
    [{ kind: 'ignore-field', field: 'storage_options' }, 'the image is stored, as requested'],
    [{ kind: 'storage', how: 'file' }, 'the image is stored, as requested'],
    [{ kind: 'storage', how: 'public-url' }, 'the stored image has a public URL, as requested'],
  ])('not stored are found: %j', async (fault, claim) => {
    for (const spec of [beta, betaEdit]) {
      expect(await runWithFailure(fault, asking(spec, stored))).toEqual([undefined, claim]);
      await stage.control.clearFaults();
      expect(whyOf(await stage.run(asking(spec, stored)))).toEqual(['passed']);
    }
  });

  test('one fewer than two are found', async () => {
    const why = await runWithFailure({ kind: 'pictures', how: 'one-less' }, asking(alpha, { n: 2 }));
    expect(why).toEqual([undefined, 'the answer has 2 images, as requested']);
  });

  test('one fewer in a stream are found: it does not end well', async () => {
    for (const spec of [alphaStream, nativeStream]) {
      const why = await runWithFailure({ kind: 'pictures', how: 'one-less' }, spec);
      expect(why).toContainEqual(expect.stringMatching(/^stream.broken$|the answer has one image/));
    }
  });
});

describe('a field of a request for images that is dropped', () => {
  test.each<[string, Spec, RegExp]>([
    ['n', asking(alpha, { n: 2 }), /the answer has 2 images/],
    ['size', asking(alpha, { size: '1536x1024' }), /requested size, 1536 × 1024/],
    ['output_format', asking(alpha, { output_format: 'webp' }), /is webp, as requested/],
    ['background', asking(alpha, { background: 'transparent' }), /transparent pixels/],
    ['n', asking(beta, { n: 3 }), /the answer has 3 images/],
    ['aspect_ratio', asking(beta, { aspect_ratio: '16:9' }), /1.778 times as wide as high/],
    ['resolution', asking(beta, { resolution: '2k' }), /size class 2k/],
    ['parameters.size', gamma, /requested size, 512 × 512/],
    ['parameters.n', asking(gamma, { parameters: { n: 2 } }), /the answer has 2 images/],
    ['size', asking(alphaEdit, { size: '1536x1024' }), /requested size, 1536 × 1024/],
    ['aspect_ratio', asking(betaEdit, { aspect_ratio: '1:1' }), /1 times as wide as high/],
    ['size', asking(alphaStream, { size: '1536x1024' }), /requested size, 1536 × 1024/],
    [
      'generationConfig.imageConfig.aspectRatio',
      asking(nativeStream, { generationConfig: { imageConfig: { aspectRatio: '4:1' } } }),
      /4 times as wide as high/,
    ],
    [
      'generationConfig.imageConfig.imageSize',
      asking(nativeStream, { generationConfig: { imageConfig: { imageSize: '2K' } } }),
      /size class 2K/,
    ],
  ])('%s, is found', async (field, spec, claim) => {
    expect(await runWithFailure({ kind: 'ignore-field', field }, spec)).toContainEqual(expect.stringMatching(claim));
  });
});

describe('an answer about images', () => {
  const ERROR = { error: { message: 'out of paint', type: 'server_error', code: 'x' } };

  test.each([alpha, beta, gamma, alphaEdit, betaEdit, gammaEdit, alphaStream, nativeStream])(
    'of status 200 that contains an error is found ($module, $model)',
    async (spec) => {
      const [code] = await runWithFailure({ kind: 'answer', body: ERROR }, spec);
      expect(code).toEqual(expect.stringMatching(/^(gateway|request|stream)\./));
    },
  );

  test('without an image is found', async () => {
    expect(await runWithFailure({ kind: 'answer', body: { created: 1, data: [] } }, alpha)).toEqual([
      undefined,
      'the answer has one image, as requested',
    ]);
    expect(
      await runWithFailure({ kind: 'answer', body: { created: 1, data: [{ revised_prompt: 'x' }] } }, beta),
    ).toContain('image 1 comes as bytes or as a link');
  });

  test('whose usage does not add up is found', async () => {
    expect(await runWithFailure({ kind: 'usage', how: 'wrong' }, alpha)).toContain('the usage figures add up');
    expect(await runWithFailure({ kind: 'usage', how: 'wrong' }, nativeStream)).toContain('the usage figures add up');
  });

  test('of another model that it admits is found', async () => {
    const why = await runWithFailure({ kind: 'substitute-model', model: 'eta-2.5-flash-image' }, nativeStream);
    expect(why).toContain('the answer is from the requested model: eta-3.1-flash-image');
  });

  test.each([alphaStream, nativeStream])('in a stream without its final event is found ($model)', async (spec) => {
    expect(await runWithFailure({ kind: 'no-final-event' }, spec)).toContain('stream.broken');
  });
});

describe('a video task that', () => {
  const epsilon: Spec = { module: 'video', model: 'epsilon-video-2-0-260128' };
  const delta: Spec = { module: 'video', model: 'delta-H3' };
  const download: Spec = { module: 'video', model: 'film-download', family: 'download-video' };
  const flat: Spec = { module: 'video', model: 'film-flat', family: 'flat-video' };
  const nested: Spec = { module: 'video', model: 'film-nested', family: 'nested-video' };
  const asset: Spec = { module: 'video', model: 'film-asset', family: 'asset-video' };
  const dedicated: Spec = { module: 'video', model: 'film-dedicated', family: 'dedicated-video' };
  const each = [epsilon, delta, download, flat, nested, asset, dedicated];

  const rows: readonly (readonly [how: string, why: RegExp, specs: readonly Spec[]])[] = [
    ['stuck', /^video.unsettled$/, each],
    ['expires', /^the task succeeds$/, each],
    ['fails', /^the task succeeds$/, each],
    ['short', /^the video lasts 4 s, as requested$/, [epsilon, delta, download, flat]],
    ['resized', /^its frames (have|are)/, [epsilon, delta, download]],
    ['corrupt', /MP4 that can be read|every frame is complete|^media.damaged$/, each],
    ['no-url', /^media.damaged$/, each],
    ['no-sound', /^the video has sound, as requested$/, [epsilon]],
  ];
  const cells = rows.flatMap(([how, why, specs]) => specs.map((spec) => ({ how, why, spec, name: nameOf(spec) })));

  test.each(cells)('is made to be $how is found ($name)', async ({ how, why, spec }) => {
    const named = { ...spec, name: `${how} ${spec.model}` };
    expect(await runWithFailure({ kind: 'task', how }, named)).toContainEqual(expect.stringMatching(why));
  });

  test.each(['short', 'resized', 'no-sound'])('is made to be %s is found by what is expected', async (how) => {
    const expectations = { seconds: 5, audio: true, width: 1280 };
    const spec = { ...dedicated, name: `${how} expected`, expect: expectations };
    expect(await runWithFailure({ kind: 'task', how }, spec)).toContainEqual(expect.stringMatching(/, as expected$/));
  });

  test.each([
    ['lying-callback', 'the callback reports the status of the task', epsilon],
    ['lying-callback', 'the callback reports the status of the task', delta],
    ['no-callback', 'a callback reports the task', epsilon],
    ['no-callback', 'a callback reports the task', delta],
  ])('has a %s is found: %s', async (how, claim, spec) => {
    const receiver = await openCallbackReceiver();
    const named = { ...spec, name: `${how} ${spec.model}` };
    expect(await runWithFailure({ kind: 'task', how }, named, { receiver })).toContain(claim);
    await receiver.close();
  });

  test.each<[string, Spec, RegExp]>([
    ['metadata.duration', asking(epsilon, { metadata: { duration: 8 } }), /lasts 8 s/],
    ['metadata.resolution', epsilon, /resolution 480p/],
    ['metadata.ratio', asking(epsilon, { metadata: { ratio: '1:1' } }), /1 times as wide as high/],
    ['metadata.generate_audio', asking(epsilon, { metadata: { generate_audio: false } }), /is silent/],
    [
      'metadata.return_last_frame',
      asking(epsilon, { metadata: { return_last_frame: true } }),
      /link to its last frame/,
    ],
    ['seconds', asking(download, { seconds: '8' }), /lasts 8 s/],
    ['size', asking(download, { size: '640x480' }), /requested size, 640 × 480/],
  ])('is made as if %s had not been sent is found', async (field, spec, claim) => {
    const named = { ...spec, name: `without ${field} ${spec.model}` };
    expect(await runWithFailure({ kind: 'ignore-field', field }, named)).toContainEqual(expect.stringMatching(claim));
  });

  test('is another model’s, and admits it, is found', async () => {
    const substitute = { kind: 'substitute-model', model: 'epsilon-video-2-0-mini-260615' };
    const why = await runWithFailure(substitute, { ...epsilon, name: 'substituted' });
    expect(why).toContain('the answer is from the requested model: epsilon-video-2-0-260128');
  });
});
