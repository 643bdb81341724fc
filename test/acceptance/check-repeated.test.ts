import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckedPlace, verdicts } from './checked-place.ts';
import { CANARY, type Place } from './place.ts';

let place: Place;
beforeEach(async () => {
  place = await openCheckedPlace();
});
afterEach(() => place.close());

describe('keyplane check --every', () => {
  it('keeps running, serves metrics and health, and succeeds when it is stopped', async () => {
    const running = place.start(['check', 'pong', '--every', '1h', '--format', 'json']);
    await running.shows('[1/1]');
    const [, url] = /Metrics at (http:\S+)\/metrics/.exec(await running.shows('/metrics')) ?? [];
    const metrics = await metricsWith(String(url), '\nkeyplane_run_success 1\n');
    expect(metrics).toContain('keyplane_check_success{key="shop",check="pong",module="chat",model="alpha-chat-1"} 1');
    expect(metrics).toMatch(/keyplane_check_duration_seconds\{.*\} 0\.\d+/);
    expect(metrics).toMatch(/keyplane_check_cost_usd\{.*\} 0\.0000\d+/);
    expect(metrics).not.toContain(CANARY);
    const health = await fetch(`${url}/healthz`);
    expect([health.status, ((await health.json()) as { healthy: boolean }).healthy]).toEqual([200, true]);
    expect((await fetch(`${url}/other`)).status).toBe(404);
    running.child.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(verdicts(JSON.parse(stdout).data)).toEqual({ 'shop pong': 'passed' });
  });

  it('ends immediately with a problem that waiting does not fix', async () => {
    expect((await place.run(['check', 'pnog', '--every', '1s'])).code).toBe(3);
    const env = { KEYPLANE_ACCESS_TOKEN: 'wrong' };
    expect((await place.run(['check', 'pong', '--every', '1s'], { env })).code).toBe(7);
  });

  it('writes each run to --out when it is given', async () => {
    const running = place.start(['check', 'pong', '--every', '1h', '--format', 'json', '--out', 'last.json']);
    await running.shows('Wrote last.json.');
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 0, stdout: '' });
    expect(verdicts(JSON.parse(await place.read('last.json')).data)).toEqual({ 'shop pong': 'passed' });
  });

  it('serves its metrics on this machine only', async () => {
    const { code, stderr } = await place.run(['check', '--every', '1h', '--metrics', '0.0.0.0:0']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('loopback addresses only')]);
  });

  const metricsWith = async (url: string, line: string): Promise<string> => {
    for (;;) {
      const text = await (await fetch(`${url}/metrics`)).text();
      if (text.includes(line)) return text;
    }
  };
});
