import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const BODY = 'k'.repeat(8) + 'a1b2c3d4'.repeat(5);
const SEED = {
  accounts: [{ userId: 42, accessToken: 'token-for-tests', quota: 50_000_000 }],
  keys: [{ id: 3, key: BODY, name: 'app-1', group: 'default', remain_quota: 2_500_000 }],
};
const DECLARED = `keys:
  app-1:
    budget: { usd: 5 }
    deliver:
      - { file: .env, format: dotenv, as: APP }
      - { kubernetesSecret: { name: app, file: k8s.yaml } }
`;

describe('delivery on the command line', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount(DECLARED, SEED, 'deployed');
  });
  afterEach(() => account.close());

  const printed: string[] = [];

  async function keyplane(...words: string[]) {
    const terminal = account.terminal(false, { PATH: process.env.PATH ?? '' });
    const code = await terminal.run(...words);
    printed.push(terminal.out(), terminal.err());
    return { code, out: terminal.out(), err: terminal.err().replace(/\s+/g, ' ') };
  }

  const envFile = () => readFile(join(account.folder, '.env'), 'utf8');

  it('shows what an existing key lacks, delivers it, and shows nothing afterwards', async () => {
    const planned = await keyplane('plan', '--detailed-exitcode');
    expect(planned).toMatchObject({ code: 2, out: expect.stringContaining('deliver  app-1 to file .env APP') });
    expect(existsSync(join(account.folder, '.env'))).toBe(false);
    expect(await keyplane('drift')).toMatchObject({ code: 2, out: expect.stringContaining('2 secrets not delivered') });
    const applied = await keyplane('apply', '--yes');
    expect(applied).toMatchObject({ code: 0, out: expect.stringContaining('2 secrets delivered') });
    expect(await envFile()).toBe(`APP=sk-${BODY}\n`);
    expect(await keyplane('drift')).toMatchObject({ code: 0 });
    expect(await keyplane('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('refuses to replace the value of somebody else with exit code 4, and delivers to the other sink', async () => {
    await writeFile(join(account.folder, '.env'), 'APP=theirs\n');
    const applied = await keyplane('apply', '--yes');
    expect(applied).toMatchObject({ code: 4, out: expect.stringContaining('sink.foreign') });
    expect(await envFile()).toBe('APP=theirs\n');
    expect(existsSync(join(account.folder, 'k8s.yaml'))).toBe(true);
  });

  it('runs no program in a plan, and none without permission in an apply', async () => {
    const text = 'version: 1\nkeys:\n  app-1: { deliver: [{ exec: [sh, -c, "cat > ran"] }] }\n';
    await writeFile(join(account.folder, 'keyplane.yaml'), text);
    await keyplane('plan');
    const refused = await keyplane('apply', '--yes');
    expect(refused).toMatchObject({ code: 4, out: expect.stringContaining('--allow-exec') });
    expect(existsSync(join(account.folder, 'ran'))).toBe(false);
    expect(await keyplane('apply', '--yes', '--allow-exec')).toMatchObject({ code: 0 });
    expect(await readFile(join(account.folder, 'ran'), 'utf8')).toBe(`sk-${BODY}`);
  });

  it('puts the secret into the sinks and nowhere else: no output, plan, report or other file holds it', async () => {
    await keyplane('plan', '--out', 'plan.json');
    await keyplane('apply', 'plan.json', '--yes', '--format', 'json', '--out', 'report.json');
    await keyplane('drift', '--format', 'html', '--out', 'drift.html');
    const entries = await readdir(account.folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const encoded = Buffer.from(`sk-${BODY}`).toString('base64');
    const holding: string[] = [];
    for (const file of files) {
      const text = await readFile(file, 'utf8');
      if (text.includes(BODY) || text.includes(encoded)) holding.push(file.slice(account.folder.length + 1));
    }
    expect(holding.sort()).toEqual(['.env', 'k8s.yaml']);
    expect(files.length).toBeGreaterThan(5);
    expect(printed.join('')).not.toContain(BODY.slice(0, 20));
  });
});
