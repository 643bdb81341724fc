import { expect, it } from 'vitest';
import { openAccount, SEED } from '../account.ts';

it('account show shows the rate that converts the wallet into dollars', async () => {
  const account = await openAccount('keys: {}\n', { ...SEED, quotaPerUnit: 250_000 });
  try {
    const [text, json] = [account.terminal(false), account.terminal(false)];
    expect(await text.run('account', 'show')).toBe(0);
    expect(text.out()).toMatch(/^ +rate +250000 quota units for \$1$/m);
    expect(await json.run('account', 'show', '--format', 'json')).toBe(0);
    expect(json.out()).toMatch(/"quotaPerUnit": ?"250000"/);
  } finally {
    await account.close();
  }
});
