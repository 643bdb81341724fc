import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTerminal } from '../terminal.ts';

const TOKEN = 'token-that-a-stranger-wants';

const BASE = `version: 1
gateway: { url: https://gateway.example.com, userId: 42 }
ownership: { scope: "prod-*", prune: delete, protect: ["prod-root"] }
keys:
  prod-root: { group: default, budget: unlimited }
  prod-a: { group: default, models: [alpha-chat-1], budget: { usd: 25, per: month } }
  prod-b: { enabled: false, budget: { usd: 5 } }
  prod-old: { budget: { usd: 1 } }
  prod-1: { budget: { usd: 1 } }
  prod-2: { budget: { usd: 1 } }
`;

const PROPOSED = BASE.replace('[alpha-chat-1], budget: { usd: 25', '[alpha-chat-1, beta], budget: { usd: 250')
  .replace('enabled: false, ', 'group: vip, ')
  .replace('  prod-old: { budget: { usd: 1 } }\n', '  prod-new: { budget: { usd: 7 } }\n');

describe('a plan of a manifest that is not trusted', () => {
  let folder: string;
  let gateway: Server;
  let requests = 0;
  const ask = async (words: readonly string[], env: Record<string, string> = {}) => {
    const address = `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const terminal = openTerminal({
      cwd: folder,
      env: {
        HOME: folder,
        NO_COLOR: '1',
        KEYPLANE_URL: address,
        KEYPLANE_ACCESS_TOKEN: TOKEN,
        HTTP_PROXY: address,
        HTTPS_PROXY: address,
        ...env,
      },
    });
    const code = await terminal.run('plan', '--untrusted', ...words);
    return { code, out: terminal.out(), err: terminal.err() };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-untrusted-'));
    gateway = createServer((_, response) => {
      requests += 1;
      response.end();
    });
    gateway.on('connect', (_, socket) => {
      requests += 1;
      socket.end();
    });
    await new Promise<void>((done) => gateway.listen(0, '127.0.0.1', done));
    await writeFile(join(folder, 'base.yaml'), BASE);
  });
  afterAll(async () => {
    gateway.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    requests = 0;
    await writeFile(join(folder, 'keyplane.yaml'), PROPOSED);
  });

  it.each(['text', 'markdown', 'html', 'json'])(
    'shows the difference from the earlier manifest in the format %s, and sends nothing',
    async (format) => {
      const { code, out, err } = await ask(['--base', 'base.yaml', '--format', format, '--detailed-exitcode']);
      expect([code, requests]).toEqual([2, 0]);
      for (const name of ['prod-a', 'prod-b', 'prod-new', 'prod-old']) expect(out).toContain(name);
      for (const text of ['beta', 'vip', 'gateway was not asked', 'gateway.example.com']) expect(out).toContain(text);
      expect(out + err).not.toContain(TOKEN);
    },
  );

  it('makes the same comparison as a plan against an account that is as the earlier manifest declares it', async () => {
    const { out } = await ask(['--base', 'base.yaml', '--format', 'json']);
    const { data } = JSON.parse(out) as {
      data: { changes: { verb: string; name: string }[]; notes: { code: string }[] };
    };
    expect(data.notes[0]?.code).toBe('gateway-not-asked');
    expect(data.changes.map(({ verb, name }) => `${verb} ${name}`)).toEqual([
      'create prod-new',
      'update prod-a',
      'update prod-b',
      'enable prod-b',
      'delete prod-old',
      'keep prod-1',
      'keep prod-2',
      'keep prod-root',
    ]);
    const same = await ask(['--base', 'keyplane.yaml', '--detailed-exitcode']);
    expect([same.code, requests]).toEqual([0, 0]);
  });

  it('is refused by the guard for what an apply would refuse', async () => {
    await writeFile(join(folder, 'keyplane.yaml'), BASE.replace(/ {2}prod-(a|b|old|1|2).*\n/g, ''));
    const { code, out } = await ask(['--base', 'base.yaml']);
    expect([code, out]).toEqual([4, expect.stringContaining('--max-deletes')]);
  });

  it.each([
    ['a variable', '${env:TEAM}', ['--base', 'base.yaml']],
    ['the access token', '${env:KEYPLANE_ACCESS_TOKEN}', ['--base', 'base.yaml']],
    ['a file of its folder', '${file:base.yaml}', ['--base', 'base.yaml']],
  ])('replaces no reference to %s', async (_, reference, words) => {
    await writeFile(join(folder, 'keyplane.yaml'), PROPOSED.replace('group: vip', `group: "${reference}"`));
    const { code, out, err } = await ask(words, { TEAM: 'blue-team', KEYPLANE_MANIFEST_ENV: 'TEAM' });
    expect([code, requests, err]).toEqual([3, 0, expect.stringContaining('manifest.reference-not-allowed')]);
    expect(out + err).not.toMatch(/blue-team|token-that/);
  });

  it('replaces no reference in the earlier manifest, nor in a validation', async () => {
    await writeFile(join(folder, 'refers.yaml'), BASE.replace('group: default', 'group: "${env:HOME}"'));
    const { code, err } = await ask(['--base', 'refers.yaml']);
    expect([code, err]).toEqual([3, expect.stringContaining('manifest.reference-not-allowed')]);
    const terminal = openTerminal({ cwd: folder, env: { HOME: folder, KEYPLANE_MANIFEST_ENV: 'HOME' } });
    expect(await terminal.run('validate', '--untrusted', '-f', 'refers.yaml')).toBe(3);
  });

  it.each([
    ['without an earlier manifest', []],
    ['as a plan to apply', ['--base', 'base.yaml', '--out', 'plan.json']],
    ['with variables', ['--base', 'base.yaml', '--env', 'HOME']],
  ])('is refused %s', async (_, words) => {
    const { code, err } = await ask(words);
    expect([code, requests, err]).toEqual([3, 0, expect.stringContaining('error[usage.invalid]: --untrusted')]);
    await expect(readFile(join(folder, 'plan.json'))).rejects.toThrow();
  });

  it('is written to the files of --report', async () => {
    const { code } = await ask(['--base', 'base.yaml', '--report', 'review.md']);
    expect([code, await readFile(join(folder, 'review.md'), 'utf8')]).toEqual([0, expect.stringContaining('prod-new')]);
  });
});
