import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decimalOf, Fault, quota } from '../../src/domain/index.ts';
import { type Monitor, openMonitor } from '../../src/monitor/index.ts';
import { reportOf, resultOf } from '../cli/sample-report.ts';

const PATIENCE_MS = 60_000;
const REPORT = reportOf([
  resultOf({ key: 'shop', check: 'pong', verdict: 'passed', attempts: 2, cost: { charged: quota(56) } }),
  resultOf({ key: 'shop', check: 'order', verdict: 'failed' }),
  resultOf({ key: 'shop', check: 'film', module: 'video', model: 'delta-H3', verdict: 'skipped' }),
  resultOf({ key: 'shop', check: 'forbidden-address', module: 'forbidden-address', verdict: 'unprovable' }),
]);

/** A name of a live key, with a secret in it, as the command line masks it. */
const mask = (text: string): string => text.replaceAll('s3cret', '******');

let now = 0;
let monitor: Monitor;
beforeEach(async () => {
  now = 0;
  monitor = await openMonitor({ host: '127.0.0.1', port: 0, steady: () => now, patienceMs: PATIENCE_MS, mask });
});
afterEach(() => monitor.close());

const get = async (path: string) => {
  const answer = await fetch(monitor.url + path);
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
};

const PONG = '{key="shop",check="pong",module="chat",model="alpha-chat-1"}';
const ORDER = '{key="shop",check="order",module="chat",model="alpha-chat-1"}';

describe('the metrics of a long-running check run', () => {
  it('mask secrets in the names of live keys and models', async () => {
    monitor.record(reportOf([resultOf({ key: 'of s3cret', check: 'pong', model: 's3cret', verdict: 'passed' })]));
    const { text } = await get('/metrics');
    expect(text).toContain('{key="of ******",check="pong",module="chat",model="******"} 1');
    expect(text).not.toContain('s3cret');
  });

  it('report each check that ran in seconds and dollars, and the remaining quota of its key', async () => {
    monitor.record(REPORT);
    const { status, type, text } = await get('/metrics');
    expect([status, type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    const lines = text.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        `keyplane_check_success${PONG} 1`,
        `keyplane_check_success${ORDER} 0`,
        `keyplane_check_flaky${PONG} 1`,
        `keyplane_check_flaky${ORDER} 0`,
        `keyplane_check_duration_seconds${PONG} 0.812`,
        `keyplane_check_first_byte_seconds${PONG} 0.24`,
        `keyplane_check_cost_usd${PONG} 0.000112`,
        'keyplane_key_remaining_quota{key="prod-checkout"} 12000000',
        'keyplane_run_success 0',
        'keyplane_run_duration_seconds 4.21',
      ]),
    );
  });

  it('omit checks that did not run, and keys without a limit', async () => {
    monitor.record(REPORT);
    const { text } = await get('/metrics');
    expect(text).not.toMatch(/check_success\{[^}]*check="(film|forbidden-address)"/);
    expect(text).not.toContain('key="prod-studio"');
  });

  it('forget the previous run', async () => {
    monitor.record(REPORT);
    monitor.record(reportOf([resultOf({ key: 'other', check: 'pong', verdict: 'passed' })], { remaining: {} }));
    const { text } = await get('/metrics');
    expect(text).not.toContain('key="shop"');
    expect(text).not.toContain('prod-checkout');
    expect(text).toContain('keyplane_run_success 1');
  });

  it('escape unusual names in labels', async () => {
    monitor.record(reportOf([resultOf({ key: 'a"b\\c\nd', check: 'pong', verdict: 'passed' })]));
    expect((await get('/metrics')).text).toContain('key="a\\"b\\\\c\\nd"');
  });

  it('omit costs where the quota rate is unknown', async () => {
    const { quotaPerUnit, ...bare } = REPORT;
    expect(quotaPerUnit).toEqual(decimalOf(500_000));
    monitor.record(bare);
    expect((await get('/metrics')).text).not.toMatch(/^keyplane_check_cost_usd\{/m);
  });
});

describe('the health of a long-running check run', () => {
  const health = async () => {
    const { status, text } = await get('/healthz');
    return [status, JSON.parse(text)];
  };

  it('is good while runs finish in time, whatever their results', async () => {
    expect(await health()).toEqual([200, { healthy: true, lastRunEndedSecondsAgo: null, fault: null }]);
    monitor.record(REPORT);
    now += 5000;
    expect(await health()).toEqual([200, { healthy: true, lastRunEndedSecondsAgo: 5, fault: null }]);
  });

  it('is bad when no run has finished for too long', async () => {
    now += PATIENCE_MS + 1;
    expect((await health())[0]).toBe(503);
    monitor.record(REPORT);
    expect((await health())[0]).toBe(200);
    now += PATIENCE_MS + 1;
    expect((await health())[0]).toBe(503);
  });

  it('is bad when the last run failed as a whole', async () => {
    monitor.record(reportOf([], { fatal: new Fault('gateway.unreachable', 'No connection.') }));
    expect(await health()).toEqual([503, expect.objectContaining({ healthy: false, fault: 'gateway.unreachable' })]);
  });
});

describe('the server', () => {
  it('serves two paths', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/healthz?probe=1')).status).toBe(200);
  });

  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.com', '127.0.0.1.example.com'])(
    'does not listen on %s',
    async (host) => {
      const opened = openMonitor({ host, port: 0, steady: () => now, patienceMs: 1, mask });
      await expect(opened).rejects.toMatchObject({ code: 'usage.invalid' });
    },
  );

  it('throws when the port is in use', async () => {
    const port = Number(new URL(monitor.url).port);
    const opened = openMonitor({ host: '127.0.0.1', port, steady: () => now, patienceMs: 1, mask });
    await expect(opened).rejects.toThrow(/cannot be served on 127\.0\.0\.1/);
  });
});
