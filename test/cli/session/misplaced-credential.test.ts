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
