import { describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';
import { NOW } from '../terminal.ts';

const MINUTE = 60;

/** A key that expires at a declared time, behind a gateway whose clock differs from ours. */
async function look(ahead: number, expiresIn: number, ...words: string[]) {
  const expires = new Date((NOW + expiresIn) * 1000).toISOString().replace('.000', '');
  const account = await openAccount(`keys: { app-1: { expires: ${expires} } }\n`, {
    accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 5_000_000 }],
    keys: [{ name: 'app-1', unlimited_quota: true, expired_time: NOW + expiresIn }],
  });
  await fetch(`${account.url}/_reference/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ at: NOW + ahead }),
  });
  const terminal = account.terminal(false);
  const code = await terminal.run(...words);
  await account.close();
  return { code, out: terminal.out(), err: terminal.err().replace(/\s+/g, ' ') };
}

describe.each([['plan'], ['drift']])('%s', (command) => {
  it.each([
    ['two minutes ahead', 2 * MINUTE, MINUTE],
    ['to the minute', 3600, 3600],
    ['two minutes behind', -2 * MINUTE, -3 * MINUTE],
  ])('takes a key for expired by the clock of the gateway, %s', async (_, ahead, expiresIn) => {
    expect(await look(ahead, expiresIn, command)).toMatchObject({
      code: 0,
      out: expect.stringContaining('expired, as declared'),
    });
  });

  it.each([
    ['two minutes behind', -2 * MINUTE, -MINUTE],
    ['to the minute', -3600, -3600 + MINUTE],
  ])('takes a key for valid by the clock of the gateway, %s', async (_, ahead, expiresIn) => {
    expect((await look(ahead, expiresIn, command)).out).not.toContain('expired, as declared');
  });

  it('warns when the clocks differ by a minute or more, in every format', async () => {
    const words = [command, '--format', 'json'];
    expect((await look(3 * MINUTE, 86_400, ...words)).err).toContain(
      'warning: The clock of this machine is 3 minutes behind the gateway’s.',
    );
    expect((await look(-MINUTE, 86_400, ...words)).err).toContain('1 minute ahead of the gateway’s.');
    expect((await look(59, 86_400, ...words)).err).not.toContain('clock');
  });
});
