import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineManifest } from '../../src/index.ts';
import { readPlan } from '../../src/library/index.ts';
import { declared, openAccount, scratchFolder } from './account.ts';

const policy = { budget: { usd: 10 } } as const;

describe('a policy in a program', () => {
  it('of the manifest is judged by each plan, and no limit of a run lifts it', async () => {
    const { keyplane, liveNames } = await openAccount([]);
    const manifest = await declared(['a'], { policy });
    const { plan, refusals } = await keyplane.plan(manifest);
    expect(refusals).toMatchObject([{ code: 'guard.policy', data: { rule: 'budget', names: ['a'] } }]);
    const allow = { protected: true, lastKey: true, deletes: 9, unknownGroups: true, unknownModels: true } as const;
    await expect(keyplane.apply(manifest, { allow })).rejects.toMatchObject({ code: 'guard.policy' });
    await expect(keyplane.apply(plan, { allow })).rejects.toMatchObject({ code: 'guard.policy' });
    expect(liveNames()).toEqual([]);
  });

  it('of a file holds in addition, also for a plan that travelled as JSON', async () => {
    const folder = scratchFolder();
    await writeFile(join(folder, 'strict.yaml'), 'version: 1\npolicy: { budget: { usd: 1 } }\n');
    const { keyplane, liveNames } = await openAccount([]);
    const loose = { policy: { ...policy, except: ['*'] }, keys: { a: { budget: { usd: 5 } } } };
    const manifest = await defineManifest(loose, { folder, policies: ['strict.yaml'] });
    const { plan } = await keyplane.plan(manifest);
    const received = await readPlan(JSON.stringify(plan));
    await expect(keyplane.apply(received)).rejects.toMatchObject({ code: 'guard.policy' });
    const free = await keyplane.plan(await defineManifest(loose, { folder }));
    const added = [{ expires: true }] as const;
    await expect(keyplane.apply(await readPlan(JSON.stringify(free.plan), added))).rejects.toMatchObject({
      code: 'guard.policy',
    });
    expect(liveNames()).toEqual([]);
    await keyplane.apply(free.plan);
    expect(liveNames()).toEqual(['a']);
  });

  it('of a file that is missing is an error of the manifest', async () => {
    const read = defineManifest({ keys: {} }, { folder: scratchFolder(), policies: ['none.yaml'] });
    await expect(read).rejects.toMatchObject({
      code: 'manifest.invalid',
      message: expect.stringContaining('none.yaml'),
    });
  });
});
