import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount, SEED } from '../account.ts';

const CREDENTIAL = `sk-${'Ab3'.repeat(16)}`;

const MANIFEST = `keys:
  grouped: { group: default }
  modelled: { models: [alpha-chat-1] }
  addressed: { allowIps: anywhere }
`;

/** Somebody pasted an API key where a setting belongs. */
const MISPLACED = {
  ...SEED,
  keys: [
    { id: 3, name: 'grouped', group: CREDENTIAL, remain_quota: 500_000 },
    {
      id: 4,
      name: 'modelled',
      model_limits_enabled: true,
      model_limits: `alpha-chat-1,${CREDENTIAL}`,
      remain_quota: 500_000,
    },
    { id: 5, name: 'addressed', allow_ips: CREDENTIAL, remain_quota: 500_000 },
    { id: 6, name: CREDENTIAL, remain_quota: 500_000 },
  ],
};

/** Not shaped like anything: only its value gives it away. */
const TOKEN = 'Hk3vQw8Zr5Tn1Xc6';

describe('the access token in a setting of a live key', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount('keys:\n  grouped: { group: default }\n  tiered: { group: default }\n', {
      accounts: [{ userId: 42, accessToken: TOKEN, quota: 5_000_000 }],
      keys: [
        { id: 3, name: 'grouped', group: TOKEN, remain_quota: 500_000 },
        { id: 4, name: 'tiered', group: `x-${TOKEN}-y`, remain_quota: 500_000 },
        { id: 5, name: `name ${TOKEN}`, remain_quota: 500_000 },
      ],
    });
  });
  afterAll(() => account.close());

  const ask = async (words: readonly string[]) => {
    const terminal = account.terminal(false, { KEYPLANE_ACCESS_TOKEN: TOKEN });
    const code = await terminal.run(...words);
    return { code, output: terminal.out() + terminal.err() };
  };

  it.each(['plan', 'drift', 'keys list', 'keys get grouped', 'keys get 5', 'keys get none'])(
    'is not shown by %s, in no format and in no file',
    async (command) => {
      const formats: Readonly<Record<string, readonly string[]>> = {
        plan: ['markdown', 'html'],
        drift: ['markdown', 'html', 'junit', 'tap'],
      };
      for (const format of ['text', 'json', ...(formats[command] ?? [])]) {
        const words = [...command.split(' '), '--format', format];
        expect((await ask(words)).output).not.toContain(TOKEN);
        const reports = formats[command] ? ['--report', join(account.folder, 'report')] : [];
        await ask([...words, ...reports]);
        if (reports.length > 0) {
          const report = await readFile(join(account.folder, 'report'), 'utf8');
          expect(report).toContain('‹secret›');
          expect(report).not.toContain(TOKEN);
        }
      }
    },
  );

  it('keeps a plan and a manifest from being written', async () => {
    for (const words of [
      ['plan', '--out', 'plan.json'],
      ['import', '--to', 'yaml', '--out', 'all.yaml'],
      ['import', '--to', 'yaml'],
    ]) {
      const { code, output } = await ask(words);
      expect([code, output]).toEqual([4, expect.stringContaining('error[plan.holds-credential]')]);
      expect(output).not.toContain(TOKEN);
    }
    for (const file of ['plan.json', 'all.yaml']) {
      await expect(readFile(join(account.folder, file))).rejects.toThrow('ENOENT');
    }
  });
});

describe('a credential in a setting of a live key', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount(MANIFEST, MISPLACED);
  });
  afterAll(() => account.close());

  async function ask(...words: string[]) {
    const terminal = account.terminal(false);
    const code = await terminal.run(...words);
    return { code, output: terminal.out() + terminal.err() };
  }

  const TO = [['yaml'], ['hcl'], ['hcl-json'], ['cdk']];
  it.each(TO)('is not imported into %s', async (language) => {
    const { code, output } = await ask('import', '--to', language);
    expect(code, output).toBe(0);
    expect(output).not.toContain(CREDENTIAL);
    for (const what of ['group', 'model ID', 'line']) expect(output).toContain(`the ${what} looks like a credential`);
    expect((await ask('import', '--to', language, '--format', 'json')).output).not.toContain(CREDENTIAL);
  });

  it.each(['plan', 'drift', 'keys list', 'keys get grouped', 'keys get modelled', 'keys get addressed', 'keys get 6'])(
    'is not shown by %s',
    async (command) => {
      const pages: Readonly<Record<string, readonly string[]>> = {
        plan: ['markdown', 'html'],
        drift: ['markdown', 'html', 'junit', 'tap'],
      };
      for (const format of ['text', 'json', ...(pages[command] ?? [])]) {
        const { output } = await ask(...command.split(' '), '--format', format);
        expect(output).toContain('‹secret›');
        expect(output).not.toContain(CREDENTIAL);
      }
    },
  );

  it('keeps a plan from being saved, and not from being applied', async () => {
    const { code, output } = await ask('plan', '--out', 'plan.json');
    expect([code, output]).toEqual([4, expect.stringContaining('error[plan.holds-credential]')]);
    expect(output.replace(/\s+/g, ' ')).toContain(
      'a setting of key 5, key 3, key 4 contains what looks like a credential',
    );
    await expect(readFile(join(account.folder, 'plan.json'))).rejects.toThrow('ENOENT');
    const applied = await ask('apply', '--yes', '--allow-unknown-models', '--format', 'json');
    expect(applied.code, applied.output).toBe(0);
    expect(applied.output).not.toContain(CREDENTIAL);
    expect((await ask('plan', '--out', 'plan.json')).code).toBe(0);
  });
});
