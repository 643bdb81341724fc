import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writesOf } from '../../delivery/remote.ts';
import { startVault } from '../../delivery/servers/vault-server.ts';
import { openAccount } from '../account.ts';

const BODY = 'k'.repeat(8) + 'a1b2c3d4'.repeat(5);
const SEED = {
  accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 50_000_000 }],
  keys: [{ id: 3, key: BODY, name: 'app-1', group: 'default', remain_quota: 2_500_000 }],
};
const QUESTIONS = ['/v1/sys/capabilities-self'];

describe('sinks on the network, on the command line', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  let vault: Awaited<ReturnType<typeof startVault>>;
  let address: string;
  beforeEach(async () => {
    vault = await startVault();
    address = `vault://${new URL(vault.url).host}/secret/apps/shop`;
    const deliver = `[{ vault: { url: "${vault.url}", path: apps/shop, as: API_KEY } }]`;
    account = await openAccount(
      `keys:\n  app-1: { owner: team-a, budget: { usd: 5 }, deliver: ${deliver} }\n`,
      SEED,
      'deployed',
    );
  });
  afterEach(async () => {
    await account.close();
    await vault.close();
  });

  async function keyplane(env: Record<string, string>, ...words: string[]) {
    const terminal = account.terminal(false, {
      VAULT_TOKEN: vault.token,
      ...env,
    });
    const code = await terminal.run(...words);
    const out = `${terminal.out()}${terminal.err()}`;
    expect(out).not.toContain(vault.token);
    expect(out).not.toContain(BODY.slice(0, 20));
    return { code, out: out.replace(/\s+/g, ' ') };
  }

  it('are not contacted by plan and drift unless they are allowed, and the output names what to set', async () => {
    for (const command of ['plan', 'drift']) {
      const { out } = await keyplane({}, command);
      expect(out).toContain(`this run may not contact ${address}, which is not among the allowed sinks`);
      expect(out).toContain('list that address in KEYPLANE_ALLOWED_SINKS');
    }
    await keyplane({ KEYPLANE_ALLOWED_SINKS: 'vault://other.example.com/*' }, 'plan');
    expect(vault.requests).toEqual([]);
  });

  it('are not written to by an apply that may not contact them: exit code 4, and no new key', async () => {
    const deliver = `[{ vault: { url: "${vault.url}", path: apps/shop, as: API_KEY } }]`;
    const text = `version: 1\nownership: { scope: "*" }\nkeys:\n  app-1: {}\n  new: { budget: { usd: 1 }, deliver: ${deliver} }\n`;
    await writeFile(join(account.folder, 'keyplane.yaml'), text);
    const refused = await keyplane({}, 'apply', '--yes');
    expect(refused).toMatchObject({
      code: 4,
      out: expect.stringContaining('list that address in KEYPLANE_ALLOWED_SINKS'),
    });
    expect([vault.requests, await account.names()]).toEqual([[], ['app-1']]);
  });

  it('get the secret by apply, and no further write over two more runs', async () => {
    const env = { KEYPLANE_ALLOWED_SINKS: 'github://x/*, vault://127.0.0.1:*' };
    expect(await keyplane(env, 'plan')).toMatchObject({ out: expect.stringContaining(`deliver app-1 to ${address}`) });
    expect(writesOf(vault, QUESTIONS)).toBe(0);
    expect(await keyplane(env, 'apply', '--yes')).toMatchObject({ code: 0 });
    expect(vault.live('apps/shop')).toEqual({ API_KEY: `sk-${BODY}` });
    expect(vault.entries.get('apps/shop')?.custom).toMatchObject({ 'keyplane/API_KEY/owner': 'team-a' });
    const writes = writesOf(vault, QUESTIONS);
    for (let run = 0; run < 2; run += 1) {
      expect(await keyplane(env, 'apply', '--yes')).toMatchObject({ code: 0 });
      expect(await keyplane(env, 'drift')).toMatchObject({ code: 0 });
    }
    expect(writesOf(vault, QUESTIONS)).toBe(writes);
    vault.put('apps/shop', { API_KEY: 'overwritten' });
    expect(await keyplane(env, 'drift')).toMatchObject({ code: 2 });
  });

  it('do not accept a manifest that refers to their credentials', async () => {
    const text = 'version: 1\nkeys:\n  app-1: { group: "${env:VAULT_TOKEN}" }\n';
    await writeFile(join(account.folder, 'keyplane.yaml'), text);
    expect(await keyplane({}, 'plan', '--env', 'VAULT_TOKEN')).toMatchObject({ code: 3 });
    await writeFile(join(account.folder, 'keyplane.yaml'), `version: 1\nkeys:\n  app-1: { group: "${vault.token}" }\n`);
    expect((await keyplane({}, 'plan')).code).not.toBe(0);
  });
});
