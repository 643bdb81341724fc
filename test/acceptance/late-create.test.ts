import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_TOKEN, declarations, openPlace, type Place, PROFILES, USER_ID } from './place.ts';

const LATE = { kind: 'cut-and-hold', method: 'POST', path: '/api/token/' };

describe.each(PROFILES)('a create that takes effect after its sender gave up, profile %s', (profile) => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace([], profile);
    await place.declare(declarations(2));
    await place.control('POST', '/faults', LATE);
  });
  afterEach(() => place.close());

  const names = async () => (await place.keys()).map(({ name }) => name).sort();
  const release = () => place.control('POST', '/release', {});
  const apply = (...more: readonly string[]) => place.run(['apply', '--yes', ...more]);
  const BOTH = ['app-1', 'app-2'];

  it('is waited for in the same run', async () => {
    place.hours.onPause = async (seconds) => {
      expect(seconds).toBe(120);
      await release();
    };
    const { code, stdout, stderr } = await apply();
    expect(stderr).toContain('Waiting 120 s: the create of “app-1” may still take effect. --settle sets this time.');
    expect(stdout).toContain('its response was lost; the key was found by its name');
    expect([code, await names()]).toEqual([0, BOTH]);
  });

  it('is waited for by the next run, for the rest of the time', async () => {
    expect(await apply('--settle', '0')).toMatchObject({ code: 5, stdout: expect.stringContaining('UNKNOWN') });
    place.hours.passed += 100;
    place.hours.onPause = async (seconds) => {
      expect(seconds).toBeLessThanOrEqual(20);
      await release();
    };
    const { code, stderr } = await apply();
    expect(code).toBe(0);
    expect(stderr).toMatch(/Creates of unknown outcome in an earlier run were accepted: “app-1” \(id \d+\)\./);
    expect([place.hours.passed > 100, await names()]).toEqual([true, BOTH]);
  });

  it('is created again only after that time; when it takes effect even later, the next run deletes the twin', async () => {
    expect((await apply()).code).toBe(5);
    expect(await names()).toEqual(['app-2']);
    expect((await apply()).code).toBe(0);
    expect([place.hours.passed, await names()]).toEqual([120, BOTH]);
    await release();
    expect(await names()).toEqual(['app-1', ...BOTH]);
    const { code, stderr } = await apply();
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/which nobody had used, were deleted: “app-1” \(id \d+\)\./),
    ]);
    expect(stderr).not.toContain('unknown outcome');
    expect([place.hours.passed, await names()]).toEqual([120, BOTH]);
    expect((await place.run(['drift'])).code).toBe(0);
  });

  it('is reported by the next run where the access token was replaced before this one could look it up', async () => {
    let accessToken = '';
    place.hours.onPause = async () => {
      const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, 'new-api-user': `${USER_ID}` };
      const rotated = await fetch(new URL('/api/user/token', place.url), { headers });
      accessToken = ((await rotated.json()) as { data: string }).data;
      await release();
    };
    const refused = await apply();
    expect(refused.stdout).toMatch(/UNKNOWN +create +app-1/);
    expect(refused.stdout).toContain('credentials.refused');
    expect(await names()).toEqual(BOTH);
    place.hours.onPause = async () => {};
    const { code, stderr } = await place.run(['apply', '--yes'], { env: { KEYPLANE_ACCESS_TOKEN: accessToken } });
    expect(stderr).toMatch(/Creates of unknown outcome in an earlier run were accepted: .*“app-1” \(id \d+\)/);
    expect([code, await names()]).toEqual([0, BOTH]);
  });

  it('is not recognized under another HOME, and removed under its own', async () => {
    await apply('--settle', '0');
    const other = join(place.folder, 'other');
    await place.run(['apply', '--yes'], { env: { HOME: other, XDG_STATE_HOME: other } });
    await release();
    expect(await names()).toEqual(['app-1', ...BOTH]);
    expect((await place.run(['plan'])).stderr).toContain('plan.ambiguous');
    place.hours.passed += 200;
    expect((await apply()).code).toBe(0);
    expect(await names()).toEqual(BOTH);
  });
});

describe('a run that is killed', () => {
  it('after it recorded a create leaves one key, and one report of what became of it', async () => {
    const place = await openPlace();
    await place.declare(declarations(2));
    await place.control('POST', '/faults', { kind: 'hold', method: 'POST', path: '/api/token/' });
    const killed = place.start(['apply', '--yes']);
    await place.control('GET', '/held?wait=1');
    killed.child.kill('SIGKILL');
    await killed.ended;
    place.hours.onPause = async () => void (await place.control('POST', '/release', {}));
    const runs = [await place.run(['apply', '--yes']), await place.run(['apply', '--yes'])];
    expect(runs.map(({ code, stderr }) => [code, stderr.includes('of unknown outcome')])).toEqual([
      [0, true],
      [0, false],
    ]);
    expect((await place.keys()).map(({ name }) => name).sort()).toEqual(['app-1', 'app-2']);
    await place.close();
  });
});
