import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';
import { sarifErrors } from '../sarif.ts';
import { NOW } from '../terminal.ts';

const DAY = 86_400;
const HOSTILE = '<script>|=1+1';
const MANIFEST = `owners: { search: { keys: "good" } }
audit:
  waivers:
    - { rule: no-expiry, keys: "waived*", reason: "Ends with the old shop", until: 2033-06-30 }
    - { rule: no-expiry, keys: late, reason: "Was to be replaced", until: 2030-01-31 }
    - { rule: unused, keys: nobody, reason: "Never matches", until: 2034-01-01 }
keys:
  good: { budget: unlimited }
  waived: { owner: ada }
  late: { owner: ada }
  ownerless: {}
  old: { owner: ada, rotate: { every: 30d, overlap: 1d } }
`;

const SAFE = {
  remain_quota: 5,
  expired_time: NOW + DAY,
  model_limits_enabled: true,
  model_limits: 'alpha-chat-1',
  allow_ips: '10.0.0.0/8',
  created_time: NOW - 9 * DAY,
  accessed_time: NOW - DAY,
};

interface Finding {
  readonly rule: string;
  readonly name: string;
}

describe('audit', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  const run = async (...words: string[]) => {
    const terminal = account.terminal(false);
    const code = await terminal.run('audit', ...words);
    return { code, out: terminal.out(), err: terminal.err() };
  };
  const found = async (...words: string[]) => {
    const { data } = JSON.parse((await run('--format', 'json', ...words)).out);
    return data as { findings: Finding[]; waived: Finding[]; unmatchedWaivers: Finding[]; inactive: number };
  };
  const of = (findings: readonly Finding[], name: string) =>
    findings.filter((each) => each.name === name).map(({ rule }) => rule);
  beforeAll(async () => {
    account = await openAccount(
      MANIFEST,
      {
        accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 3_000_000 }],
        models: { 'alpha-chat-1': {} },
        keys: [
          { name: 'good', ...SAFE },
          { name: 'waived', ...SAFE, expired_time: -1 },
          { name: 'late', ...SAFE, expired_time: -1 },
          { name: 'ownerless', ...SAFE, allow_ips: '0.0.0.0/0' },
          { name: 'old', ...SAFE, created_time: NOW - 40 * DAY },
          { name: HOSTILE, unlimited_quota: true, created_time: NOW - 400 * DAY, accessed_time: NOW - 200 * DAY },
          { name: 'gone', unlimited_quota: true, status: 2 },
        ],
      },
      'deployed',
    );
  });
  afterAll(() => account.close());

  it('finds what a review asks of each key that can be used, and nothing about a safe one', async () => {
    const { findings, inactive } = await found();
    expect(of(findings, 'good')).toEqual([]);
    expect(of(findings, 'ownerless')).toEqual(['open-ip-rule', 'no-owner']);
    expect(of(findings, 'old')).toEqual(['rotation-due']);
    expect(of(findings, HOSTILE).sort()).toEqual([
      'no-allowlist',
      'no-budget',
      'no-expiry',
      'no-ip-rule',
      'rotation-due',
      'undeclared',
      'unused',
    ]);
    expect([of(findings, 'gone'), inactive]).toEqual([[], 1]);
  });

  it('accepts a waived finding, reports an expired waiver as one, and lists a waiver that matches nothing', async () => {
    const { findings, waived, unmatchedWaivers } = await found();
    expect([of(findings, 'waived'), of(waived, 'waived')]).toEqual([[], ['no-expiry']]);
    expect(of(findings, 'late').sort()).toEqual(['expired-waiver', 'no-expiry']);
    expect(unmatchedWaivers).toMatchObject([{ rule: 'unused', keys: 'nobody' }]);
    expect((await run()).out).toContain('Ends with the old shop');
  });

  it.each([
    [[], 2],
    [['--severity', 'high', '--key', 'old'], 2],
    [['--key', 'good'], 2],
  ])('exits with 2 for %j as long as there are findings', async (words, exit) => {
    // The expired waiver concerns every audit of this manifest.
    expect((await run(...words)).code).toBe(exit);
  });

  it('exits with 0 without findings', async () => {
    const clean = await openAccount(
      'keys: { good: { owner: ada } }\n',
      { accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 1 }], keys: [{ name: 'good', ...SAFE }] },
      'deployed',
    );
    try {
      const terminal = clean.terminal(false);
      expect(await terminal.run('audit')).toBe(0);
      expect(terminal.out()).toBe('Audit of 1 key: no findings.\n');
    } finally {
      await clean.close();
    }
  });

  it('does not call a key unused whose last use the gateway does not report', async () => {
    const contract = await openAccount('keys: {}\n');
    try {
      const terminal = contract.terminal(false);
      await terminal.run('audit', '--format', 'json');
      const { findings } = JSON.parse(terminal.out()).data;
      expect(findings.filter(({ rule }: Finding) => rule === 'unused' || rule === 'rotation-due')).toEqual([]);
    } finally {
      await contract.close();
    }
  });

  it('notes a waiver that matches nothing in a review of all keys, and not in one of some', async () => {
    const note = 'The waiver of unused for nobody matches no finding (keyplane.yaml:7). Remove it.';
    expect((await run()).out.replace(/\s+/g, ' ')).toContain(note);
    const some = await run('--key', 'good');
    expect(some.out).not.toContain('matches no finding');
    expect((await found('--owner', 'ada')).unmatchedWaivers).toEqual([]);
  });

  it('counts the findings that --severity hides, and exits with 0 if it hides all', async () => {
    const { out, code } = await run('--severity', 'high', '--key', HOSTILE, '--key', 'old');
    expect([out.match(/\(no-expiry\)/), code]).toEqual([null, 2]);
    expect(out.replace(/\s+/g, ' ')).toContain('Not shown, because less severe: 6 findings.');
    const quiet = await openAccount('keys: { good: { owner: ada } }\n', {
      accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 1 }],
      keys: [{ name: 'good', ...SAFE, expired_time: -1 }],
    });
    try {
      const terminal = quiet.terminal(false);
      expect(await terminal.run('audit', '--severity', 'high')).toBe(0);
      expect(terminal.out()).toBe(
        'Notes\n  - Not shown, because less severe: 1 finding.\n\nAudit of 1 key: no findings.\n',
      );
    } finally {
      await quiet.close();
    }
  });

  it('is valid by the schema of SARIF 2.1.0, with hostile names and suppressions', async () => {
    const log = JSON.parse((await run('--format', 'sarif')).out);
    expect(sarifErrors(log)).toBeNull();
    log.runs[0].results[0].level = 'severe';
    expect(sarifErrors(log)).not.toBeNull();
  });

  it('is SARIF 2.1.0 with places, stable fingerprints and suppressions', async () => {
    const log = JSON.parse((await run('--format', 'sarif')).out);
    expect(log.version).toBe('2.1.0');
    const [{ tool, results }] = log.runs;
    const ids = tool.driver.rules.map(({ id }: { id: string }) => id);
    expect(results.every(({ ruleId }: { ruleId: string }) => ids.includes(ruleId))).toBe(true);
    expect(results.every(({ level }: { level: string }) => ['error', 'warning', 'note'].includes(level))).toBe(true);
    const ownerless = results.find(({ message }: { message: { text: string } }) => /^ownerless/.test(message.text));
    expect(ownerless.locations[0].physicalLocation).toMatchObject({
      artifactLocation: { uri: 'keyplane.yaml' },
      region: { startLine: 12, startColumn: 3 },
    });
    expect(results.filter((each: { suppressions?: unknown }) => each.suppressions)).toHaveLength(1);
    const prints = results.map((each: { partialFingerprints: object }) => JSON.stringify(each.partialFingerprints));
    expect(new Set(prints).size).toBe(prints.length);
    for (const result of results) {
      expect(result).toMatchObject({ message: { text: expect.any(String) }, locations: [expect.any(Object)] });
    }
  });

  it('keeps a hostile name text in Markdown', async () => {
    const { out } = await run('--format', 'markdown');
    expect(out).not.toContain('<script>');
    const lines = out.split('\n').filter((line) => line.includes('script'));
    expect(lines.every((line) => line.match(/(?<!\\)\|/g)?.length === 6)).toBe(true);
  });

  it.each([
    ['{ rule: no-expire, keys: a, reason: r, until: 2030-01-01 }', 'manifest.invalid-value'],
    ['{ rule: no-expiry, keys: a, reason: r, until: 2030-02-30 }', 'manifest.invalid-value'],
    ['{ rule: no-expiry, keys: a, until: 2030-02-01 }', 'manifest.missing-field'],
  ])('rejects the waiver %s', async (waiver, code) => {
    const wrong = await openAccount(`audit: { waivers: [${waiver}] }\nkeys: {}\n`);
    try {
      const terminal = wrong.terminal(false);
      expect(await terminal.run('audit')).toBe(3);
      expect(terminal.err()).toContain(code);
    } finally {
      await wrong.close();
    }
  });
});
