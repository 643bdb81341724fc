import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { declarations, type Ended, openPlace, type Place, PROFILES } from './place.ts';

const CREATE = { method: 'POST', path: '/api/token/' };

describe('two runs from two machines', () => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace();
    await place.declare(declarations(30));
  });
  afterEach(() => place.close());

  /** Runs from several machines, each of which has seen an empty account when the first create of any takes effect. */
  async function meet(homes: readonly string[], differ = false): Promise<readonly Ended[]> {
    await place.control('POST', '/faults', { kind: 'hold', ...CREATE, times: homes.length });
    const runs = [];
    for (const [n, home] of homes.entries()) {
      const folder = join(place.folder, home);
      if (differ) await place.declare(declarations(30).replaceAll('usd: 5', `usd: ${5 + n}`));
      runs.push(place.run(['apply', '--yes'], { env: { HOME: folder, XDG_STATE_HOME: folder } }));
      await place.control('GET', `/held?wait=${n + 1}`);
    }
    await place.control('POST', '/release', {});
    return Promise.all(runs);
  }

  const names = async () => (await place.keys()).map(({ name }) => name);

  it.each(PROFILES)(
    'keep one key of each that both created, and the next run has nothing to clean up: %s',
    async (profile) => {
      if (profile !== 'contract') {
        await place.close();
        place = await openPlace([], profile);
        await place.declare(declarations(30));
      }
      const runs = await meet(['one', 'two']);
      for (const { stdout, code } of runs) {
        expect(stdout).toContain('another run created it as well; the unused twin');
        expect([0, 5]).toContain(code);
      }
      const [first] = await place.keys();
      expect(first).toMatchObject({ id: 1, name: 'app-1' });
      expect(new Set(await names()).size).toBe((await names()).length);
      expect((await place.run(['apply', '--yes'])).code).toBe(0);
      expect(new Set(await names()).size).toBe(30);
      expect(await place.keys()).toHaveLength(30);
      expect((await place.run(['drift'])).code).toBe(0);
    },
  );

  it('stop at the first key that both created differently; `keys dedupe` removes the unused one', async () => {
    for (const { code, stdout } of await meet(['one', 'two'], true)) {
      expect(stdout).toContain('More than one new key is named “app-1”: ');
      expect(stdout).toContain('Apply: 1 failed, 29 skipped.');
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain('`keyplane keys dedupe`');
      expect(code).toBe(5);
    }
    expect(await names()).toEqual(['app-1', 'app-1']);

    const plan = await place.run(['plan']);
    expect(plan).toMatchObject({ code: 4, stderr: expect.stringContaining('plan.ambiguous') });
    expect((await place.run(['keys', 'dedupe', '--yes'])).code).toBe(2);
    const [first] = await place.keys();
    await place.control('POST', '/spend', { keyId: first?.id, quota: 10 });
    expect((await place.run(['keys', 'dedupe', '--yes'])).code).toBe(0);
    expect(await place.keys()).toMatchObject([{ id: first?.id, name: 'app-1' }]);
  });

  it('double nothing when one is killed after its first creates and the other continues', async () => {
    await place.control('POST', '/faults', { kind: 'hold-after', ...CREATE, skip: 4, times: 1 });
    const killed = place.start(['apply', '--yes', '--concurrency', '1']);
    await place.control('GET', '/held?wait=1');
    const other = join(place.folder, 'other');
    const ended = await place.run(['apply', '--yes'], { env: { HOME: other, XDG_STATE_HOME: other } });
    expect(ended.code).toBe(0);
    killed.child.kill('SIGKILL');
    await killed.ended;
    await place.control('POST', '/release', {});
    expect(new Set(await names()).size).toBe(30);
    expect(await place.keys()).toHaveLength(30);
  });

  describe('with the lock that they share', () => {
    const from = (home: string) => {
      const folder = join(place.folder, home);
      return { env: { HOME: folder, XDG_STATE_HOME: folder, KEYPLANE_LOCK: 'gateway' } };
    };
    const APPLY = ['apply', '--yes', '--concurrency', '1'];
    const HELD = { ...CREATE, skip: 4, times: 1 };
    const declared = Array.from({ length: 30 }, (_, i) => `app-${i + 1}`).sort();

    it('write one after the other: whoever does not wait ends, and whoever waits finds nothing to do', async () => {
      await place.control('POST', '/faults', { kind: 'hold', ...HELD });
      const first = place.run(APPLY, from('one'));
      await place.control('GET', '/held?wait=1');
      const before = await names();
      const impatient = await place.run([...APPLY, '--lock-timeout', '0'], from('two'));
      expect(impatient).toMatchObject({ code: 4, stderr: expect.stringContaining('apply.locked') });
      expect(await names()).toEqual(before);
      place.hours.onPause = async () => {
        place.hours.onPause = async () => {};
        await place.control('POST', '/release', {});
        expect((await first).code).toBe(0);
      };
      const patient = await place.run(APPLY, from('three'));
      expect(patient).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing to do') });
      expect(patient.stderr).toContain('Waiting up to 10 minutes');
      expect((await names()).sort()).toEqual(declared);
    });

    it('one after the other when the first is killed: the second enters once nothing of the first can arrive', async () => {
      await place.control('POST', '/faults', { kind: 'hold-after', ...HELD });
      const killed = place.start(APPLY, from('one'));
      await place.control('GET', '/held?wait=1');
      killed.child.kill('SIGKILL');
      await killed.ended;
      await place.control('POST', '/release', {});
      expect((await place.run(APPLY, from('two'))).code).toBe(0);
      expect(place.hours.passed).toBeGreaterThanOrEqual(210);
      expect((await names()).sort()).toEqual(declared);
    });

    it('lose nothing when the first is paused for longer than its claim: it writes no more, and takes back what it doubled', async () => {
      await place.control('POST', '/faults', { kind: 'hold', ...HELD });
      const paused = place.run(APPLY, from('one'));
      await place.control('GET', '/held?wait=1');
      expect((await place.run(APPLY, from('two'))).code).toBe(0);
      const kept = await place.keys();
      await place.control('DELETE', '/requests');
      await place.control('POST', '/release', {});
      const woken = await paused;
      expect(woken).toMatchObject({ code: 4, stdout: expect.stringContaining('apply.lock-lost') });
      expect(woken.stdout).toContain('another run created it as well; the unused twin');
      const { requests } = await place.control<{ requests: Record<string, number> }>('GET', '/requests');
      // The create that was under way, and the claim that found that somebody else had entered.
      expect(requests['POST /api/token/'] ?? 0).toBeLessThanOrEqual(2);
      expect(await place.keys()).toEqual(kept);
      expect((await place.run(APPLY, from('three'))).code).toBe(0);
      expect(await place.keys()).toEqual(kept);
    });
  });
});
