import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHECKS, countsOf, dataOf, openCheckedPlace, verdicts } from './checked-place.ts';
import { CANARY, type Place } from './place.ts';

const CHAT = { method: 'POST', path: '/v1/chat/completions' };

let place: Place;
beforeEach(async () => {
  place = await openCheckedPlace();
});
afterEach(() => place.close());

const counts = () => countsOf(place);

describe('keyplane check', () => {
  it('runs free and cheap checks, and reports those that it omitted', async () => {
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

  it('counts unprovable results as failed with --strict', async () => {
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

  it('shows in every report that has both a charge and a remainder that add up', async () => {
    await place.control('PATCH', '/keys/1', { unlimited_quota: false, remain_quota: 150_000_000 });
    const reports = ['--report', 'r.html', '--report', 'r.xml'];
    const data = dataOf(await place.run(['check', 'pong', '--format', 'json', ...reports]));
    const [{ cost }] = data.results;
    expect(data.remaining.shop + cost.charged).toBe(150_000_000);
    const usd = (data.remaining.shop / 500_000).toFixed(6);
    expect(usd).not.toBe('300.000000');
    expect(await place.read('r.html')).toContain(`$${usd.replace(/0+$/, '')} remains`);
    expect(await place.read('r.xml')).toContain(`<property name="remaining.usd" value="${usd}"/>`);
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

  it('reports an unwritable report file before anything is sent', async () => {
    await place.write('plain', '');
    for (const words of [
      ['--report', 'plain/r.html'],
      ['--out', 'plain/r.txt'],
      ['--history', 'plain'],
      ['--report', 'deep/er/r.md'],
      ['--out', 'deep/o.txt'],
      ['--ledger', 'deep/tasks.jsonl'],
    ]) {
      const { code, stderr } = await place.run(['check', 'pong', ...words]);
      expect([code, stderr]).toEqual([1, expect.stringContaining('file.unwritable')]);
    }
    expect(await counts()).toEqual({});
  });

  it('does not take silence for success: what was asked for by name has to be there', async () => {
    const film = await place.run(['check', 'film', '--key', 'shop']);
    expect([film.code, film.stderr]).toEqual([
      3,
      expect.stringContaining('No key that matches --key shop selects film.'),
    ]);
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

  it('reports the cost of a forbidden model that was served', async () => {
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

  it('rejects a word that selects no check, a report without a format and a cap that is not an amount', async () => {
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
    const [code, words] = await ends('--vantage-proxy', 'user:canary@127.0.0.1:9');
    expect([code, words]).toEqual([3, expect.stringContaining('for --vantage-proxy: expected')]);
    expect(words).not.toContain('canary');
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

  it('shows the header that lifts an allowlist of addresses, and the remedy', async () => {
    await place.control('PATCH', '/keys/1', { allow_ips: '127.0.0.1' });
    await place.declare('  shop: { checks: [enforcement, spoofed-address] }\n  studio: { checks: [] }\n', '');
    const ended = await place.run(['check', '--source-address', '127.0.0.2']);
    expect(ended.code).toBe(6);
    expect(ended.stdout).toContain('X-Forwarded-For does not lift the allowlist of addresses');
    expect(ended.stdout).toContain('Put a proxy in front of the gateway that replaces these headers');
    const enforcement = await place.run(['check', 'enforcement', '--source-address', '127.0.0.2', '--format', 'json']);
    expect(Object.keys(verdicts(dataOf(enforcement)))).not.toContain('shop spoofed-address');
  });
});
