import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryOfCustom, specOfCustom, validCustomChecks } from '../../src/checks/custom-check.ts';
import { type CustomCheck, checkKeys, defineCheck, renderChecks } from '../../src/checks.ts';
import { type GatewayClient, openGatewayClient } from '../../src/client/index.ts';
import { CHECK_CLASSES, CHECK_MODULES, type CheckReport, Fault, Secret } from '../../src/domain/index.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('deployed');
});
afterAll(() => stage.close());

const own = (run: CustomCheck['run'], more: Partial<CustomCheck> = {}): CustomCheck =>
  defineCheck({ name: 'mine', schedule: 'free', run, ...more });

const report = (custom: readonly CustomCheck[], more: Parameters<Stage['report']>[1] = {}): Promise<CheckReport> =>
  stage.report(
    {
      selections: new Map([['open', custom.map(({ name }) => name)]]),
      definitions: [],
      custom,
      asked: [],
      costly: true,
    },
    more,
  );

async function resultOf(check: CustomCheck, more: Parameters<Stage['report']>[1] = {}) {
  const { results, fatal } = await report([check], more);
  expect(fatal).toBeUndefined();
  expect(results).toHaveLength(1);
  return results[0];
}

const SECRET = 'sk-someone-else-00000000';

describe('a check of one’s own', () => {
  it('passes when every claim holds, and fails with the first that does not', async () => {
    expect(await resultOf(own(({ claim }) => claim('it works', true)))).toMatchObject({
      key: 'open',
      check: 'mine',
      module: 'custom',
      verdict: 'passed',
      attempts: 1,
      findings: [{ claim: 'it works', holds: true }],
    });
    const broken = await resultOf(own(({ claim }) => claim('it works', false, 'nothing')));
    expect(broken).toMatchObject({ verdict: 'failed', reason: 'assertion failed: it works (found nothing)' });
  });

  it('is in the report of every format', async () => {
    const done = await report([own(({ claim }) => claim('it <works>', true))]);
    expect(await renderChecks(done, 'junit')).toContain('classname="custom.open"');
    expect(await renderChecks(done, 'html')).toContain('it &lt;works&gt;');
    await expect(renderChecks(done, 'pdf' as never)).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  it('proves nothing without a claim', async () => {
    expect(await resultOf(own(() => {}))).toMatchObject({ verdict: 'unprovable' });
  });

  it('is skipped or unprovable when it ends so, and its reason is shown', async () => {
    const skipped = await resultOf(own(({ skip }) => skip('not for this key')));
    expect(skipped).toMatchObject({ verdict: 'skipped', reason: 'not for this key' });
    const open = await resultOf(own(({ unprovable }) => unprovable('no address to send from')));
    expect(open).toMatchObject({ verdict: 'unprovable', reason: 'no address to send from' });
  });

  it.each([
    ['an error', () => Promise.reject(new Error(`refused ${SECRET}`))],
    ['a text', () => Promise.reject(`refused ${SECRET}`)],
    [
      'an error before it returns a promise',
      () => {
        throw new Error(`refused ${SECRET}`);
      },
    ],
  ])('fails with what it throws, without key material: %s', async (_, run) => {
    const result = await resultOf(own(run));
    expect(result).toMatchObject({
      verdict: 'failed',
      reason: 'the check threw an error: refused ‹secret›',
      attempts: 1,
    });
  });

  it('keeps the meaning of a fault for the key', async () => {
    const refused = own(() => Promise.reject(new Fault('key.exhausted', 'used up')));
    expect(await resultOf(refused)).toMatchObject({ verdict: 'failed', code: 'key.exhausted' });
  });

  it('is left behind when its time is over, and changes nothing afterwards', async () => {
    const abort = new AbortController();
    let late = (): void => {};
    const hanging = own(({ claim, exchange }) => {
      late = () => {
        claim('too late', true);
        exchange('late', {}, { raw: {}, status: 200, timing: { totalMs: 1 } as never, requestId: 'late' });
      };
      abort.abort(new DOMException('over', 'TimeoutError'));
      return new Promise(() => {});
    });
    const result = await resultOf(hanging, { deadline: () => abort.signal });
    expect(result).toMatchObject({ verdict: 'failed', code: 'gateway.timeout', findings: [], exchanges: [] });
    late();
    expect(result).toMatchObject({ findings: [], exchanges: [] });
  });

  it('shows no key material in claims, values, titles and exchanges', async () => {
    const chatty = own(({ claim, exchange }) => {
      claim(`claims ${SECRET}`, true, `found ${SECRET}`);
      exchange(
        `title ${SECRET}`,
        { authorization: `Bearer ${SECRET}` },
        { raw: { echo: SECRET }, status: 200, timing: { totalMs: 1 } as never },
      );
    });
    expect(JSON.stringify(await resultOf(chatty))).not.toContain('someone-else');
  });

  it('gets the key without its secret, and a client with it', async () => {
    const seen: unknown[] = [];
    const listing = own(async ({ key, inference, signal, claim, exchange }) => {
      seen.push(key);
      const answered = await inference.models({ signal });
      exchange('models', null, answered);
      claim('models are listed', answered.value.length > 0);
    });
    const result = await resultOf(listing);
    expect(result).toMatchObject({ verdict: 'passed', exchanges: [{ title: 'models', status: 200 }] });
    expect(seen).toMatchObject([{ name: 'open' }]);
    expect(JSON.stringify(seen, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      'sk-',
    );
  });

  it('is not retried, and is charged for what it sent', async () => {
    let runs = 0;
    const paying = own(
      async ({ inference, signal, claim, exchange }) => {
        runs += 1;
        const request = { model: 'alpha-chat-1', messages: [{ role: 'user' as const, content: 'Hello' }] };
        const answered = await inference.chat(request, { signal });
        exchange('chat', request, answered);
        claim('never', false);
      },
      { schedule: 'cheap' },
    );
    const result = await resultOf(paying);
    expect([runs, result?.verdict, result?.attempts]).toEqual([1, 'failed', 1]);
    expect(result?.cost.charged).toBeGreaterThan(0);
  });

  it('does not run under a cost limit unless it is free', async () => {
    const quotaPerUnit = await stage.gateway.store.quotaPerUnit();
    expect(quotaPerUnit).toBeDefined();
    const never = own(
      () => {
        throw new Error('it ran');
      },
      { schedule: 'costly' },
    );
    const free = own(({ claim }) => claim('free', true), { name: 'free-one' });
    const { results } = await report([never, free], { cap: 1_000_000 as never });
    expect(results.map(({ check, verdict, attempts }) => [check, verdict, attempts])).toEqual([
      ['free-one', 'passed', 1],
      ['mine', 'skipped', 0],
    ]);
  });
});

describe('the definition of a check of one’s own', () => {
  const RESERVED = ['custom', ...CHECK_CLASSES, ...Object.keys(CHECK_MODULES), ...Object.values(CHECK_MODULES).flat()];

  it.each(RESERVED)('is refused under the name of a module, a kind or a class: %s', (name) => {
    expect(() => own(() => {}, { name })).toThrow(expect.objectContaining({ code: 'request.invalid' }));
  });

  it.each([
    ['an empty name', { name: '' }],
    ['a name with a space', { name: 'my check' }],
    ['a name that is not a text', { name: 7 }],
    ['an unknown class', { schedule: 'cheep' }],
    ['a time that is over before it begins', { timeoutMs: 0 }],
    ['a time longer than timers have', { timeoutMs: 2 ** 31 }],
    ['no function', { run: 'chat' }],
  ])('is refused with %s', (_, more) => {
    expect(() => own(() => {}, more as never)).toThrow(expect.objectContaining({ code: 'request.invalid' }));
  });

  it('is refused a second time under one name, and next to a check of that name', () => {
    const mine = own(() => {});
    expect(() => validCustomChecks([mine, mine], [])).toThrow('another check of the run has this name');
    expect(() => validCustomChecks([mine], ['mine'])).toThrow('another check of the run has this name');
  });

  it('states what it costs and how long it takes', () => {
    const { pays, timeoutMs } = entryOfCustom(own(() => {}, { schedule: 'cheap' }));
    expect([pays, timeoutMs]).toEqual([true, 30_000]);
    expect(specOfCustom(own(() => {}, { timeoutMs: 5 }))).toMatchObject({ module: 'custom', retries: 0, timeoutMs: 5 });
  });
});

describe('keys that a program proves with a check of its own', () => {
  let gateway: GatewayClient;
  beforeAll(() => {
    const accessToken = new Secret('token-of-anna');
    gateway = openGatewayClient({ url: stage.url, userId: 42, accessToken, clock: stage.clock });
  });
  afterAll(() => gateway.close());

  it('are those that name it', async () => {
    const names = own(({ key, claim }) => claim('the key has this name', key.name === 'open'));
    const { results } = await checkKeys({
      gateway,
      clock: stage.clock,
      ledger: '/dev/null',
      keys: { open: ['mine', 'model-list'], narrow: ['mine'] },
      checks: [names],
    });
    expect(results.map(({ key, check, verdict }) => [key, check, verdict]).toSorted()).toEqual([
      ['narrow', 'mine', 'failed'],
      ['open', 'mine', 'passed'],
      ['open', 'model-list', 'passed'],
    ]);
  });
});
