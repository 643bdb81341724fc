import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodePlan, encodePlan } from '../../../src/manifest/index.ts';
import { openAccount } from '../account.ts';

const KEY = 'k'.repeat(48);
const SEED = {
  accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 50_000_000 }],
  models: { 'alpha-chat-1': { ratio: 1.25, completionRatio: 4 } },
  keys: [{ id: 3, key: KEY, name: 'app-1', group: 'default', remain_quota: 2_500_000 }],
};

const ONCE = 'keys:\n  app-1: { budget: { usd: 5 } }\n';
const HOURLY = 'keys:\n  app-1: { budget: { usd: 5, per: hour } }\n';
const EDITED = 'keys:\n  app-1: { group: vip, budget: { usd: 10 } }\n  app-2: { budget: { usd: 1 } }\n';

describe('a plan of budgets on the command line', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount(HOURLY, SEED);
  });
  afterEach(() => account.close());

  const declare = (text: string, file = 'keyplane.yaml') =>
    writeFile(join(account.folder, file), `version: 1\n${text}`);
  // Records of this profile do not report the use, so nothing but somebody's word shows that the log is complete.
  const TRUST = '--assume-log-complete';
  const digestIn = (text: string): string => /sha256:[0-9a-f]{64}/.exec(text)?.[0] ?? '';

  async function keyplane(...words: string[]) {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err().replace(/\s+/g, ' ') };
  }

  async function spend() {
    const answer = await fetch(`${account.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer sk-${KEY}` },
      body: JSON.stringify({ model: 'alpha-chat-1', messages: [{ role: 'user', content: 'Hello' }], max_tokens: 100 }),
    });
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  }

  it('shows $5 that became $5 an hour, first and in dollars a month', async () => {
    await declare(ONCE, 'before.yaml');
    const text = await keyplane('plan', '--base', 'before.yaml');
    expect(text.out.split('\n')[0]).toBe('Maximum exposure per month: $5.00 → $3,600.00');
    expect(text.out).toContain('$5 once → $5/hour');
    expect(text.out).not.toContain('nothing to do');
    for (const format of ['markdown', 'html', 'json']) {
      const { out } = await keyplane('plan', '--base', 'before.yaml', '--format', format);
      expect(out).toContain(format === 'json' ? '"usd":"3600.00"' : '$5.00 → $3,600.00');
    }
  });

  it('shows fractions of a cent in JSON as in the text', async () => {
    await declare(ONCE.replace(/usd: 5\b/, 'usd: 5.000002'));
    expect((await keyplane('plan', TRUST)).out).toContain('Maximum exposure per month: $5.000002');
    expect((await keyplane('plan', TRUST, '--format', 'json')).out).toContain('"usd":"5.000002"');
  });

  it('reports an unknown exposure before where there is no base', async () => {
    const { out } = await keyplane('plan');
    expect(out.split('\n')[0]).toBe('Maximum exposure per month: $3,600.00 (before: unknown; --base shows it)');
    expect(out).not.toContain('nothing to do');
  });

  it('survives a request between the plan and the apply, and reports what moved', async () => {
    await declare(EDITED);
    expect((await keyplane('plan', TRUST, '--out', 'plan.json')).code).toBe(0);
    await spend();
    const { code, out } = await keyplane('apply', 'plan.json', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('Since the plan was saved')]);
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /app-1 \(id 3\): its remaining budget is set to \$9\.\d+; the saved plan has \$10\.00/,
    );
    expect((await keyplane('drift')).code).toBe(0);
  });

  it('plan.other-manifest: is refused once a key was removed from the manifest, and creates nothing', async () => {
    await declare(EDITED);
    await keyplane('plan', TRUST, '--out', 'plan.json');
    await declare(EDITED.replace(/ {2}app-2.*\n/, ''));
    const { code, err } = await keyplane('apply', 'plan.json', '--yes');
    expect([code, err]).toEqual([4, expect.stringContaining('[plan.other-manifest]')]);
    expect(await account.names()).toEqual(['app-1']);
  });

  it('belongs to every layout of its manifest', async () => {
    await declare(EDITED);
    await keyplane('plan', TRUST, '--out', 'plan.json');
    await declare(
      '# the same\nkeys:\n  "app-2":\n    budget:\n      usd: 1.00\n  app-1: {budget: {usd: 10}, group: vip}\n',
    );
    expect((await keyplane('apply', 'plan.json', '--yes')).code).toBe(0);
  });

  it('is applied without a manifest by --plan-only, with the budgets of now', async () => {
    await declare(EDITED);
    await keyplane('plan', TRUST, '--out', 'plan.json');
    await rm(join(account.folder, 'keyplane.yaml'));
    await spend();
    expect((await keyplane('apply', 'plan.json', '--yes')).code).toBe(3);
    const { code, out } = await keyplane('apply', 'plan.json', '--plan-only', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('Apply: 2 applied.')]);
    expect(await account.names()).toEqual(['app-1', 'app-2']);
  });

  it.each(['text', 'markdown', 'html', 'json'])('prints the digest for --expect (%s)', async (format) => {
    await declare(EDITED);
    const { out } = await keyplane('plan', TRUST, '--out', 'plan.json', '--format', format);
    const digest = format === 'json' ? JSON.parse(out).data.digest : digestIn(out);
    await spend();
    expect((await keyplane('apply', 'plan.json', '--expect', digest.toUpperCase(), '--yes')).code).toBe(0);
  });

  it('plan.unexpected: is refused when another plan was reviewed', async () => {
    await declare(HOURLY);
    const reviewed = digestIn((await keyplane('plan', '--out', 'plan.json')).out);
    await declare(EDITED);
    await keyplane('plan', '--out', 'plan.json');
    const { code, err } = await keyplane('apply', 'plan.json', '--expect', reviewed, '--yes');
    expect([code, err]).toEqual([4, expect.stringContaining('[plan.unexpected]')]);
    expect(await account.names()).toEqual(['app-1']);
  });

  it('has the same digest when only time passed and a key spent', async () => {
    await declare(EDITED);
    const first = digestIn((await keyplane('plan', '--out', 'plan.json')).out);
    await spend();
    expect(digestIn((await keyplane('plan', '--out', 'plan.json')).out)).toBe(first);
  });

  it('shows a tampered amount to nobody: the policy decides', async () => {
    await declare(EDITED);
    await keyplane('plan', '--out', 'plan.json');
    const { desired, ...saved } = decodePlan(await readFile(join(account.folder, 'plan.json'), 'utf8'));
    const changes = saved.changes.map((change) =>
      change.verb === 'create' ? { ...change, settings: { ...change.settings, unlimited: true } } : change,
    );
    await writeFile(join(account.folder, 'plan.json'), JSON.stringify(encodePlan({ ...saved, changes }, desired)));
    const { code, err } = await keyplane('apply', 'plan.json', '--yes');
    expect([code, err]).toEqual([4, expect.stringContaining('[plan.stale]')]);
    expect(await account.names()).toEqual(['app-1']);
  });

  it.each([
    [['apply', '--expect', 'sha256:0'], '--expect requires a saved plan.'],
    [['apply', '--plan-only'], '--plan-only requires a saved plan.'],
    [['apply', 'plan.json', '--expect', 'latest'], '--expect is not a digest.'],
    [['apply', 'plan.json', '--plan-only', '-f', 'keyplane.yaml'], '--plan-only and --file exclude each other.'],
  ])('rejects %j', async (words, message) => {
    await keyplane('plan', '--out', 'plan.json');
    const { code, err } = await keyplane(...words);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
  });

  it('plan.too-large: is shown, and not saved, when it exceeds what an apply reads', async () => {
    const models = Array.from({ length: 40 }, (_, n) => `model-${n}-${'x'.repeat(10_000)}`);
    const keys = Array.from({ length: 180 }, (_, n) => `  many-${n}: {}\n`);
    await declare(`defaults: { budget: unlimited, models: [${models.join(', ')}] }\nkeys:\n${keys.join('')}`);
    await writeFile(join(account.folder, 'plan.json'), 'mine');
    const { code, out, err } = await keyplane(
      'plan',
      '--allow-unknown-models',
      '--out',
      'plan.json',
      '--key',
      'many-89',
    );
    expect([code, err]).toEqual([3, expect.stringContaining('error[plan.too-large]')]);
    expect(err).toMatch(/would have \d+ MiB, and an apply reads at most 64 MiB/);
    expect(out).toContain('many-89');
    expect((await readdir(account.folder)).sort()).toEqual(['keyplane.yaml', 'plan.json']);
    expect(await readFile(join(account.folder, 'plan.json'), 'utf8')).toBe('mine');
  });
});
