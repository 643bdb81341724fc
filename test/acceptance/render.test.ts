import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CheckReport,
  createKeyplane,
  loadManifest,
  openGateway,
  type ReportFormat,
  render,
  Secret,
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

  it('rejects formats and results that it does not know', async () => {
    const { plan } = await reviews();
    await expect(render(plan, 'pdf' as ReportFormat)).rejects.toMatchObject({ code: 'usage.invalid' });
    const none = { outcomes: [] } as unknown as CheckReport;
    await expect(render(none, 'text')).rejects.toMatchObject({ code: 'usage.invalid' });
  });
});
