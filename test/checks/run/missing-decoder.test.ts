import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHECK_MODULE_FACTS } from '../../../src/checks/index.ts';
import { type CheckSpec, checkFaults } from '../../../src/domain/index.ts';
import { openStage, type Stage, specOf } from '../stage.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('contract');
});
afterEach(() => stage.close());

const EPSILON = 'epsilon-video-2-0-mini-260615';
const canDecodeImages = async (): Promise<boolean> => false;
const withoutDecoder = (spec: Partial<CheckSpec> & Pick<CheckSpec, 'module'>) => stage.run(spec, { canDecodeImages });

describe('without the package that decodes images', () => {
  it.each(['image', 'image-stream', 'image-edit', 'image-edit-stream'] as const)('%s sends nothing', async (module) => {
    await stage.counts();
    const result = await withoutDecoder({ module });
    expect(result).toMatchObject({
      ...{ verdict: 'unprovable', attempts: 0, code: 'tool.missing-package', remedy: 'install-image-decoder' },
      reason: expect.stringContaining('sharp'),
    });
    expect(Object.keys(await stage.counts()).filter((route) => route.includes('/v1/'))).toEqual([]);
  });

  it('a video is checked, unless its last frame is requested', async () => {
    const request = { metadata: { return_last_frame: true } };
    expect(await withoutDecoder({ module: 'video', model: EPSILON, request })).toMatchObject({
      ...{ verdict: 'unprovable', attempts: 0, code: 'tool.missing-package' },
    });
    expect(await withoutDecoder({ module: 'video', model: EPSILON })).toMatchObject({ verdict: 'passed' });
  });

  it('the other checks of the run are done, and the run fails', async () => {
    const definitions = [specOf({ name: 'answers', module: 'chat' }), specOf({ name: 'draws', module: 'image' })];
    const selections = new Map([['open', ['answers', 'draws']]]);
    const report = await stage.report({ selections, definitions, asked: [], costly: true }, { canDecodeImages });
    expect(report.results.map(({ verdict }) => verdict)).toEqual(['passed', 'unprovable']);
    expect(checkFaults(report)).toMatchObject([
      { code: 'tool.missing-package', detail: { package: 'sharp', checks: [{ key: 'open', check: 'draws' }] } },
    ]);
  });

  it('no other module needs it', () => {
    const needing = CHECK_MODULE_FACTS.filter(({ decodesImages }) => decodesImages?.({ request: {} }));
    expect(needing.map(({ id }) => id).sort()).toEqual(['image', 'image-edit', 'image-edit-stream', 'image-stream']);
  });
});
