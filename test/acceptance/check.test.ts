import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CANARY, openPlace, type Place } from './place.ts';

const MODELS = {
  'alpha-chat-1': {},
  'alpha-chat-2': {},
  'text-embedding-3-small': {},
  'alpha-image-2': { price: 0.02 },
  'delta-H3': { price: 0.4, task: { queueSeconds: 0, runSeconds: 3600 } },
};
const SHOP = { name: 'shop', unlimited_quota: true, model_limits_enabled: true, model_limits: 'alpha-chat-1' };
const STUDIO = { name: 'studio', unlimited_quota: true };

const CHAT = { method: 'POST', path: '/v1/chat/completions' };
const SUBMIT = 'POST /v1/video/generations';

const CHECKS = `checks:
  pong: { module: chat, messages: [{ role: user, content: "Reply with exactly: pong" }], expect: { contains: pong } }
  poster: { module: image, model: alpha-image-2 }
  film: { module: video, model: delta-H3 }
`;

let place: Place;
beforeEach(async () => {
  place = await openPlace([SHOP, STUDIO], 'contract', MODELS);
  await place.declare(
    '  shop: { checks: [pong, enforcement] }\n  studio: { checks: [poster, film, model-list] }\n',
    CHECKS,
  );
});
afterEach(() => place.close());

const counts = async () => (await place.control<{ requests: Record<string, number> }>('GET', '/requests')).requests;
const dataOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).data;
const verdicts = (data: { results: { key: string; check: string; verdict: string }[] }) =>
  Object.fromEntries(data.results.map(({ key, check, verdict }) => [`${key} ${check}`, verdict]));

describe('keyplane check', () => {
  it('proves what is free and cheap, and says what it left away', async () => {
    const ended = await place.run(['check', '--format', 'json']);
    expect(ended.code).toBe(0);
    expect(verdicts(dataOf(ended))).toEqual({
      'shop model-list': 'passed',
      'shop forbidden-model': 'unprovable',
      'shop pong': 'passed',
      'studio model-list': 'passed',
      'studio poster': 'skipped',
      'studio film': 'skipped',
    });
    expect(dataOf(ended).results.find(({ check }: { check: string }) => check === 'pong').cost.charged).toBeGreaterThan(
      0,
    );
  });

  it('counts what is unprovable as failed when it is told to be strict', async () => {
    expect((await place.run(['check', 'forbidden-model'])).code).toBe(0);
    expect((await place.run(['check', 'forbidden-model', '--strict'])).code).toBe(6);
  });

  it('fails with 6, and shows which, why and what to do', async () => {
    await place.control('PATCH', '/keys/1', { status: 2 });
    const { code, stdout } = await place.run(['check', 'pong']);
    expect(code).toBe(6);
    expect(stdout).toContain('✗ pong  shop');
    expect(stdout).toContain('the key is disabled');
    expect(stdout).toContain('Checks: 1 failed.');
    const ended = await place.run(['check', 'pong', '--format', 'json']);
    expect(JSON.parse(ended.stdout).fault).toMatchObject({ code: 'check.failed' });
  });

  it('keeps under --max-cost, and ends with 8', async () => {
    const ended = await place.run(['check', 'poster', '--max-cost', '0', '--format', 'json']);
    expect(ended.code).toBe(8);
    expect(JSON.parse(ended.stdout).fault).toMatchObject({ code: 'check.cost-cap' });
    expect(verdicts(dataOf(ended))).toEqual({ 'studio poster': 'skipped' });
    expect((await counts())['POST /v1/images/generations']).toBeUndefined();
  });

  it('writes every report in one run, and no key into any of them', async () => {
    const files = ['r.html', 'r.xml', 'r.tap', 'r.md', 'r.json', 'r.txt'];
    const reports = files.flatMap((file) => ['--report', file]);
    expect((await place.run(['check', 'poster', 'pong', ...reports, '--history', 'past'])).code).toBe(0);
    for (const file of files) {
      const text = await place.read(file);
      expect(text).toContain('poster');
      expect(text).not.toContain(CANARY);
    }
    expect(await place.read('r.html')).toContain('data:image/webp;base64,');
    const [past] = await readdir(join(place.folder, 'past'));
    expect(await place.read(`past/${past}`)).not.toContain(CANARY);
    await place.run(['check', 'poster', '--report', 'again.html', '--history', 'past']);
    expect(await place.read('again.html')).toContain('With 1 earlier run.');
  });

  it('writes the report also when nothing could be asked', async () => {
    const dead = await place.run(['check', '--url', 'http://127.0.0.1:9', '--format', 'junit', '--report', 'r.html']);
    expect(dead.code).toBe(1);
    expect(dead.stdout).toContain('type="gateway.unreachable"');
    expect(await place.read('r.html')).toContain('The run ended early');
    await place.write('keyplane.yaml', 'version: 1\nchecks: { a: { module: nothing } }\n');
    const wrong = await place.run(['check', '--format', 'tap']);
    expect(wrong.code).toBe(3);
    expect(wrong.stdout).toContain('Bail out! The manifest has 1 error.');
    expect(wrong.stderr).toContain('keyplane.yaml:2:');
  });

  it('tells where a report can not go before anything is sent, and makes folders for it', async () => {
    await place.write('plain', '');
    for (const words of [
      ['--report', 'plain/r.html'],
      ['--out', 'plain/r.txt'],
      ['--history', 'plain'],
    ]) {
      const { code, stderr } = await place.run(['check', 'pong', ...words]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('file.unwritable')]);
    }
    expect(await counts()).toEqual({});
    expect((await place.run(['check', 'pong', '--report', 'deep/er/r.md', '--out', 'deep/o.txt'])).code).toBe(0);
    expect(await place.read('deep/er/r.md')).toContain('pong');
    expect(await place.read('deep/o.txt')).toContain('pong');
  });

  it('does not take silence for success: what was asked for by name has to be there', async () => {
    const film = await place.run(['check', 'film', '--key', 'shop']);
    expect([film.code, film.stderr]).toEqual([3, expect.stringContaining('No key of --key shop selects film.')]);
    const nobody = await place.run(['check', '--key', 'renamed-*', '--format', 'json']);
    expect([nobody.code, JSON.parse(nobody.stdout).fault.code]).toEqual([3, 'usage.invalid']);
  });

  it('charges a run for what it sent, and not for the runs right before it', async () => {
    await place.declare(
      '  shop: { checks: [pong] }\n',
      CHECKS.replace('contains: pong', 'contains: pong, maxCost: 0.001'),
    );
    const costs: unknown[] = [];
    for (const run of [1, 2, 3]) {
      const ended = await place.run(['check', 'pong', '--format', 'json']);
      costs.push(dataOf(ended).results[0].cost.charged ?? `unknown in run ${run}`);
    }
    expect(new Set(costs).size).toBe(1);
  });

  it('says what it cost that a forbidden model was served', async () => {
    await place.control('POST', '/faults', { kind: 'lenient', rule: 'model', times: 5 });
    await place.declare(
      '  shop: { models: [alpha-chat-1], checks: [forbidden-model] }\n  studio: { models: [alpha-chat-2] }\n',
    );
    const [, studio] = await place.keys();
    await place.control('PATCH', `/keys/${studio?.id}`, { model_limits_enabled: true, model_limits: 'alpha-chat-2' });
    const ended = await place.run(['check', 'forbidden-model', '--format', 'json']);
    expect(dataOf(ended).results[0]).toMatchObject({ verdict: 'failed', cost: { charged: expect.any(Number) } });
    expect(dataOf(ended).results[0].cost.charged).toBeGreaterThan(0);
  });

  it('refuses a word that means no check, a report without a format and a cap that is no amount', async () => {
    const ends = async (...words: string[]) => {
      const { code, stderr } = await place.run(['check', ...words]);
      return [code, stderr];
    };
    expect(await ends('pnog')).toEqual([3, expect.stringContaining('Did you mean pong?')]);
    expect(await ends('--report', 'r.pdf')).toEqual([3, expect.stringContaining('.html')]);
    expect(await ends('--max-cost', 'much')).toEqual([3, expect.stringContaining('dollars')]);
    expect(await ends('--metrics', '9464')).toEqual([3, expect.stringContaining('--every')]);
    expect(await ends('--callback-url', 'https://a.example')).toEqual([
      3,
      expect.stringContaining('--callback-listen'),
    ]);
    expect(await ends('--vantage-proxy', 'foo')).toEqual([3, expect.stringContaining('--vantage-proxy takes')]);
    expect(await ends('--every', 'often')).toEqual([3, expect.stringContaining('5m')]);
    expect(await counts()).toEqual({});
  });

  it('finds a wrong size before anybody pays', async () => {
    await place.declare(
      '  studio: { checks: [poster] }\n',
      'checks:\n  poster: { module: image, model: alpha-image-2, size: 100x100 }\n',
    );
    const { code, stdout } = await place.run(['validate']);
    expect(code).toBe(3);
    expect(stdout).toContain('error[manifest.invalid-check]');
    expect(stdout).toContain('`size`');
  });

  it('lets what is under way finish at the first Ctrl-C, and reports', async () => {
    await place.control('POST', '/faults', { kind: 'hold', ...CHAT });
    const check = place.start(['check', 'pong', 'model-list', '--concurrency', '1']);
    await place.control('GET', '/held?wait=1');
    check.child.kill('SIGINT');
    await check.shows('Interrupted');
    await place.control('POST', '/release', {});
    const { code, stdout } = await check.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('The run was interrupted');
    expect(stdout).toContain('✓');
  });

  it('reports also when Ctrl-C came before anything could be sent', async () => {
    await place.control('POST', '/faults', { kind: 'hold', method: 'GET', path: '/api/token/' });
    const check = place.start(['check', 'pong', '--report', 'r.json']);
    await place.control('GET', '/held?wait=1');
    check.child.kill('SIGINT');
    const { code, stdout } = await check.ended;
    expect(code).toBe(130);
    expect(stdout).toContain('The run ended early: Interrupted by SIGINT.');
    expect((await counts())['POST /api/token/batch/keys']).toBeUndefined();
    expect(JSON.parse(await place.read('r.json')).fault.code).toBe('gateway.interrupted');
  });

  it('proves from a second address what is forbidden there', async () => {
    await place.control('PATCH', '/keys/1', { allow_ips: '127.0.0.1' });
    const ended = await place.run(['check', 'forbidden-address', '--source-address', '127.0.0.2', '--format', 'json']);
    expect(verdicts(dataOf(ended))).toEqual({ 'shop forbidden-address': 'passed' });
    const here = await place.run(['check', 'forbidden-address', '--source-address', '127.0.0.1', '--format', 'json']);
    expect(verdicts(dataOf(here))).toEqual({ 'shop forbidden-address': 'unprovable' });
  });
});

describe('a paid task', () => {
  const advance = () => place.control('POST', '/clock', { advance: 4000 });
  const FILM = ['check', 'film', '--format', 'json'];

  /** Resolves when the gateway has answered so many looks at the task. */
  const looked = async (): Promise<void> => {
    while (((await counts())['GET /v1/video/generations/{task_id}'] ?? 0) === 0) await advanceNothing();
  };
  const advanceNothing = () => place.control('GET', '/clock');

  it('is not paid twice when the run is killed while it waits', async () => {
    const first = place.start(FILM);
    await looked();
    first.child.kill('SIGKILL');
    await first.ended;
    await advance();
    const second = await place.run(FILM);
    expect(second.code).toBe(0);
    expect(verdicts(dataOf(second))).toEqual({ 'studio film': 'passed' });
    expect((await counts())[SUBMIT]).toBe(1);
    expect(await place.read('keyplane.tasks.jsonl')).not.toContain(CANARY);
  });

  it('is indeterminate when the run is killed while it submits, and stays so until somebody has looked', async () => {
    await place.control('POST', '/faults', { kind: 'hold-after', method: 'POST', path: '/v1/video/generations' });
    const first = place.start(FILM);
    await place.control('GET', '/held?wait=1');
    first.child.kill('SIGKILL');
    await first.ended;
    await place.control('POST', '/release', {});
    const second = await place.run(FILM);
    expect(second.code).toBe(6);
    expect(dataOf(second).results[0]).toMatchObject({ verdict: 'failed', code: 'gateway.indeterminate' });
    expect((await counts())[SUBMIT]).toBe(1);
    const third = place.start([...FILM, '--resubmit']);
    await looked();
    await advance();
    expect((await third.ended).code).toBe(0);
    expect((await counts())[SUBMIT]).toBe(2);
  });

  it('is indeterminate when its answer is lost', async () => {
    await place.control('POST', '/faults', { kind: 'cut-after', method: 'POST', path: '/v1/video/generations' });
    for (const run of [1, 2]) {
      const ended = await place.run(FILM);
      expect(dataOf(ended).results[0], `run ${run}`).toMatchObject({ code: 'gateway.indeterminate' });
    }
    expect((await counts())[SUBMIT]).toBe(1);
  });
});

describe('the check step of an apply', () => {
  const PRUNING = '\nownership: { scope: "*", prune: delete }\n';

  it('proves the keys that were written, before anything is deleted', async () => {
    await place.declare('  shop: { group: vip, checks: [pong, film] }\n', CHECKS + PRUNING);
    const ended = await place.run(['apply', '--yes', '--format', 'json', '--max-deletes', '1']);
    expect(ended.code).toBe(0);
    expect(verdicts(dataOf(ended).checks)).toEqual({ 'shop pong': 'passed' });
    expect((await place.keys()).map(({ name }) => name)).toEqual(['shop']);
  });

  it('takes what its checks spend for no drift', async () => {
    await place.declare('  studio: { group: vip, budget: { usd: 5 }, checks: [pong] }\n', CHECKS);
    expect((await place.run(['apply', '--yes', '--no-check'])).code).toBe(0);
    await place.declare('  studio: { group: default, budget: { usd: 5 }, checks: [pong] }\n', CHECKS);
    const ended = await place.run(['apply', '--yes', '--format', 'json']);
    expect(verdicts(dataOf(ended).checks)).toEqual({ 'studio pong': 'passed' });
    expect([ended.code, dataOf(ended).converged]).toEqual([0, true]);
  });

  it('deletes nothing when one of them does not work', async () => {
    await place.control('POST', '/faults', { kind: 'status', code: 500, ...CHAT });
    await place.declare('  shop: { group: vip, checks: [pong] }\n', CHECKS + PRUNING);
    const ended = await place.run(['apply', '--yes', '--max-deletes', '1']);
    expect(ended.code).toBe(6);
    expect(ended.stdout).toContain('a check of a key that was written failed: nothing is deleted');
    expect((await place.keys()).map(({ name }) => name)).toEqual(['shop', 'studio']);
  });

  it('is left away with --no-check, and for keys that are as they were', async () => {
    await place.declare('  shop: { group: vip, checks: [pong] }\n', CHECKS);
    expect((await place.run(['apply', '--yes', '--no-check'])).code).toBe(0);
    expect((await place.run(['apply', '--yes'])).code).toBe(0);
    expect((await counts())['POST /v1/chat/completions']).toBeUndefined();
  });
});

describe('keyplane check --every', () => {
  it('stays, serves metrics and health, and ends well when it is told to stop', async () => {
    const standing = place.start(['check', 'pong', '--every', '1h', '--format', 'json']);
    await standing.shows('[1/1]');
    const [, url] = /Metrics at (http:\S+)\/metrics/.exec(await standing.shows('/metrics')) ?? [];
    const metrics = await metricsWith(String(url), '\nkeyplane_run_success 1\n');
    expect(metrics).toContain('keyplane_check_success{key="shop",check="pong",module="chat",model="alpha-chat-1"} 1');
    expect(metrics).toMatch(/keyplane_check_duration_seconds\{.*\} 0\.\d+/);
    expect(metrics).toMatch(/keyplane_check_cost_usd\{.*\} 0\.0000\d+/);
    expect(metrics).not.toContain(CANARY);
    const health = await fetch(`${url}/healthz`);
    expect([health.status, ((await health.json()) as { healthy: boolean }).healthy]).toEqual([200, true]);
    expect((await fetch(`${url}/other`)).status).toBe(404);
    standing.child.kill('SIGTERM');
    const { code, stdout } = await standing.ended;
    expect(code).toBe(0);
    expect(verdicts(JSON.parse(stdout).data)).toEqual({ 'shop pong': 'passed' });
  });

  it('ends at once with what no waiting will mend', async () => {
    expect((await place.run(['check', 'pnog', '--every', '1s'])).code).toBe(3);
    const env = { KEYPLANE_ACCESS_TOKEN: 'wrong' };
    expect((await place.run(['check', 'pong', '--every', '1s'], { env })).code).toBe(7);
  });

  it('writes each run to --out when it is told so', async () => {
    const standing = place.start(['check', 'pong', '--every', '1h', '--format', 'json', '--out', 'last.json']);
    await standing.shows('Wrote last.json.');
    standing.child.kill('SIGTERM');
    expect(await standing.ended).toMatchObject({ code: 0, stdout: '' });
    expect(verdicts(JSON.parse(await place.read('last.json')).data)).toEqual({ 'shop pong': 'passed' });
  });

  it('serves its metrics on this machine only', async () => {
    const { code, stderr } = await place.run(['check', '--every', '1h', '--metrics', '0.0.0.0:0']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('on this machine only')]);
  });

  const metricsWith = async (url: string, line: string): Promise<string> => {
    for (;;) {
      const text = await (await fetch(`${url}/metrics`)).text();
      if (text.includes(line)) return text;
    }
  };
});
