import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ApplyReport,
  type CheckReport,
  createKeyplane,
  fromJSON,
  loadManifest,
  openGateway,
  pendingChanges,
  type ReportFormat,
  render,
  Secret,
  toJSON,
} from 'keyplane';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault, keyId, quota } from '../../src/domain/index.ts';
import { openAccount } from '../cli/account.ts';
import { HOSTILE, reportOf, resultOf } from '../cli/sample-report.ts';

const ENDINGS = { text: 'txt', markdown: 'md', html: 'html', junit: 'xml', tap: 'tap' } as const;
const FORMATS = Object.keys(ENDINGS) as ReportFormat[];

/** Style sheets name their variables with two dashes, comments of Markdown and tables begin with them. */
const textOf = (report: string): string => report.replace(/<style>.*?<\/style>|<!--|-->|\| ---/gs, '');

const COMMAND_LINE = /(?<![\w-])--[a-z]|keyplane [a-z]+`|KEYPLANE_|exit code/;

describe('render', () => {
  const MANIFEST = `ownership: { scope: "*", prune: delete }
keys:
  app-1: { group: vip, budget: { usd: 5 } }
  "<script>alert(1)</script>|": { budget: { usd: 1 } }
  stopped: { budget: { usd: 1 } }
`;
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount(MANIFEST, {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
      keys: [
        { id: 3, name: 'app-1', remain_quota: 500_000 },
        { id: 4, name: 'app-2', remain_quota: 500_000 },
        { id: 5, name: '</style><img src=x>]]>', remain_quota: 500_000 },
        { id: 6, name: 'stopped', remain_quota: 500_000, status: 2 },
      ],
    });
  });
  afterAll(() => account.close());

  async function reviews() {
    const accessToken = new Secret('token-for-tests');
    await using gateway = await openGateway({ url: account.url, userId: 42, accessToken });
    const keyplane = createKeyplane({ gateway, stateFolder: account.folder });
    const manifest = await loadManifest(join(account.folder, 'keyplane.yaml'));
    const allow = { deletes: 0 };
    return { plan: await keyplane.plan(manifest, { allow }), drift: await keyplane.drift(manifest) };
  }

  async function printed(command: 'plan' | 'drift', format: ReportFormat): Promise<string> {
    const file = `${command}.${ENDINGS[format]}`;
    await account
      .terminal(false)
      .run(command, ...(command === 'plan' ? ['--max-deletes', '0'] : []), '--format', format, '--report', file);
    return await readFile(join(account.folder, file), 'utf8');
  }

  /** A report without the texts that differ by design: the words of the command line replace those of programs. */
  const withoutAdvice = (report: string): string =>
    report
      .replaceAll(`${account.folder}/`, '')
      .replace(/T\d\d:\d\d:\d\d/g, '')
      .replace(/<!-- -->|\\/g, '')
      .replace(/&#39;|&apos;/g, "'")
      .replace(/\s+/g, ' ')
      .replaceAll('`allow: { deletes: 2 }`', '--max-deletes 2')
      .replace(
        /plan with stopped in `enable`, or with `earlier` if/g,
        'plan with --allow-enable stopped, or with --base if',
      )
      .replaceAll('`earlier` shows it', '--base shows it')
      .replaceAll('a `usageCache`', 'the file of --usage-cache')
      .replaceAll('set `assumeLogComplete: true`', 'pass --assume-log-complete')
      .replaceAll('`assumeLogComplete: true` trusts', '--assume-log-complete trusts');

  it.each(['text', 'markdown', 'html'] as const)('shows a plan as the command line does: %s', async (format) => {
    const { plan } = await reviews();
    const report = await render(plan, format);
    expect(withoutAdvice(report)).toBe(withoutAdvice(await printed('plan', format)));
    expect(textOf(report)).not.toMatch(COMMAND_LINE);
    const text = report.replaceAll('\\', '');
    for (const own of ['allow: { deletes: 2 }', 'in `enable`']) expect(text).toContain(own);
  });

  it.each(FORMATS)('shows drift as the command line does: %s', async (format) => {
    const { drift } = await reviews();
    const report = await render(drift, format);
    expect(withoutAdvice(report)).toBe(withoutAdvice(await printed('drift', format)));
    expect(textOf(report)).not.toMatch(COMMAND_LINE);
  });

  it('escapes the names of keys for the format', async () => {
    const { plan, drift } = await reviews();
    for (const review of [plan, drift]) {
      for (const format of ['markdown', 'html', 'junit'] as const) {
        const report = await render(review, format);
        expect(report).not.toMatch(/<script|<img/);
        expect(report).toContain('&lt;script');
      }
    }
  });

  it.each(FORMATS)('shows checks with remedies of programs, and escapes what was answered: %s', async (format) => {
    const capped = resultOf({
      key: 'a',
      keyId: keyId(1),
      check: 'costly',
      verdict: 'skipped',
      reason: 'it is costly',
      remedy: 'ask-for-costly-checks',
    });
    const late = new Fault('gateway.timeout', 'late', { hint: 'Look at its load.', remedy: 'allow-more-time' });
    const made: unknown = reportOf([...HOSTILE, capped], { fatal: late, cap: quota(1) });
    const report = made as CheckReport;
    const rendered = await render(report, format);
    expect(textOf(rendered)).not.toMatch(COMMAND_LINE);
    expect(rendered).not.toContain('\u001b');
    if (format !== 'tap' && format !== 'text') expect(rendered).not.toMatch(/<script|<img/);
    // Markdown and TAP do not explain what was skipped.
    if (format !== 'tap' && format !== 'markdown') expect(rendered.replaceAll('\\', '')).toContain('costly: true');
  });

  /** A run of the plan in which a change of each outcome occurs. */
  async function applied(): Promise<ApplyReport> {
    const { plan } = (await reviews()).plan;
    const fault = new Fault('gateway.refused', '<script>alert(1)</script> | ]]> \u001b[31m', { remedy: 'run-checks' });
    const [first, ...others] = pendingChanges(plan);
    if (!first || others.length === 0) throw new Error('the plan has too few changes');
    const made: unknown = {
      plan,
      outcomes: [
        { state: 'applied', change: first, id: 9, remark: 'the key could not be read back' },
        { state: 'failed', change: first, fault },
        { state: 'indeterminate', change: first, fault },
        ...others.map((change) => ({ state: 'skipped', change, reason: 'held back', remedy: 'prune-anyway' })),
      ],
      corrections: [{ id: 3, name: 'app-1', units: quota(500_000), takenBack: false }],
      interrupted: true,
      fatal: new Fault('apply.lock-lost', 'The lock was lost.', { remedy: 'inspect-locks' }),
    };
    return made as ApplyReport;
  }

  it.each(FORMATS)('shows an apply with every outcome, in words of programs, and escapes it: %s', async (format) => {
    const report = await render(await applied(), format);
    expect(textOf(report)).not.toMatch(COMMAND_LINE);
    expect(report).not.toContain('\u001b');
    if (format !== 'tap' && format !== 'text') expect(report).not.toMatch(/<script|<img/);
    const text = report.replaceAll('\\', '');
    for (const part of [
      '1 applied, 1 failed',
      'held back',
      'read back',
      'pruneAnyway: true',
      'spent $1',
      'lock was lost',
    ])
      expect(text, part).toContain(part);
  });

  it('shows an apply to CI systems by its outcome', async () => {
    const junit = await render(await applied(), 'junit');
    expect(/failures="(\d+)" errors="(\d+)"/.exec(junit)?.slice(1)).toEqual(['1', '2']);
    const tap = (await render(await applied(), 'tap')).split('\n');
    expect(tap.filter((line) => line.startsWith('not ok'))).toHaveLength(2);
    expect(tap.at(-2)).toBe('Bail out! The lock was lost.');
    const quiet = { ...(await applied()), outcomes: [], corrections: [], fatal: undefined };
    const { fatal: _, ...idle } = quiet;
    expect(await render(idle, 'tap')).toContain('1..0 # SKIP no changes');
  });

  it('shows what has travelled as JSON', async () => {
    const { plan } = await reviews();
    for (const format of FORMATS) {
      const report = await applied();
      const there = await fromJSON(JSON.stringify(await toJSON(report)), 'apply');
      expect((await render(there, format)).replaceAll('pruneAnyway', '')).toContain('held back');
      const saved = await fromJSON(JSON.stringify(plan.plan), 'saved-plan');
      expect(await render(saved, format)).toContain('app-1');
    }
  });

  it('rejects formats and results that it does not know', async () => {
    const { plan } = await reviews();
    const formats = ['pdf', 'sarif', 'json', 'Text', '', '__proto__', undefined] as unknown as ReportFormat[];
    for (const format of formats) {
      await expect(render(plan, format)).rejects.toMatchObject({ code: 'usage.invalid' });
      await expect(render(await applied(), format)).rejects.toMatchObject({ code: 'usage.invalid' });
    }
    const results = [{ outcomes: [] }, {}, [], null, undefined, 'text', 7] as unknown as CheckReport[];
    for (const none of results) await expect(render(none, 'text')).rejects.toMatchObject({ code: 'usage.invalid' });
  });
});
