import { chmod, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startReferenceGateway } from '../../../src/reference/index.ts';
import { ROOT } from '../../architecture/repository.ts';
import { type Installation, installAlone } from './installation.ts';

const opened: { remove(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.remove();
});

async function alone(options: Parameters<typeof installAlone>[0] = {}): Promise<Installation> {
  const installation = await installAlone(options);
  opened.push(installation);
  return installation;
}

const IMAGE_MODEL = 'alpha-image-2';
const SEED = {
  accounts: [{ userId: 42, accessToken: 'rehearsal-only', quota: 50_000_000 }],
  groups: { default: {} },
  models: { 'alpha-chat-1': {}, [IMAGE_MODEL]: {} },
  keys: [{ name: 'prod-one', key: 'one', unlimited_quota: true }],
};

const manifest = (url: string): string => `version: 1
gateway: { url: ${url}, userId: 42 }
ownership: { scope: "prod-*" }
keys:
  prod-one: { budget: unlimited, checks: [chat, image] }
`;

async function withGateway(installation: Installation) {
  const gateway = await startReferenceGateway({ seed: SEED, control: true });
  opened.push({ remove: () => gateway.close() });
  await installation.write('keyplane.yaml', manifest(gateway.url));
  const env = { KEYPLANE_ACCESS_TOKEN: 'rehearsal-only', KEYPLANE_URL: gateway.url };
  const requests = async () => {
    const answer = await fetch(`${gateway.url}/_reference/requests`, { method: 'DELETE' });
    return ((await answer.json()) as { requests: Record<string, number> }).requests;
  };
  return { env, requests };
}

describe('an installation without optional packages', () => {
  it('validates, plans, applies, and finds no drift', async () => {
    const installation = await alone();
    const { env } = await withGateway(installation);
    for (const words of [['validate'], ['plan'], ['apply', '--yes'], ['drift'], ['check', 'chat'], ['keys', 'list']]) {
      const { code, stderr } = await installation.keyplane(words, { env });
      expect({ words, code, stderr }).toMatchObject({ code: 0 });
    }
  });

  it('creates keys, and writes their secrets and the journal of creates to files', async () => {
    const installation = await alone();
    const { env } = await withGateway(installation);
    const text = await readFile(join(installation.folder, 'keyplane.yaml'), 'utf8');
    await installation.write(
      'keyplane.yaml',
      `${text}  prod-two: { budget: { usd: 1 }, deliver: [{ file: two.env, format: dotenv, as: TWO }] }\n`,
    );
    const { code, stdout } = await installation.keyplane(['apply', '--yes', '--no-check'], { env });
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('prod-two') });
    expect(await readFile(join(installation.folder, 'two.env'), 'utf8')).toMatch(/^TWO=/m);
  });

  it('names what to install before it pays for an image', async () => {
    const installation = await alone();
    const { env, requests } = await withGateway(installation);
    await requests();
    const { code, stdout } = await installation.keyplane(['check', 'image'], { env });
    expect(code).toBe(1);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain('nothing was sent');
    expect(text).toContain('npm install sharp');
    expect(Object.keys(await requests()).filter((route) => route.includes('/v1/'))).toEqual([]);
  });

  it('names what to install when it is to start the reference gateway', async () => {
    const installation = await alone();
    const { code, stderr } = await installation.keyplane(['gateway']);
    expect(code).toBe(1);
    expect(stderr).toContain('error[tool.missing-package]: The reference gateway needs the package libsql');
    expect(stderr.replace(/\s+/g, ' ')).toContain('npm install libsql');
    const { stdout } = await installation.script(`
      import { startReferenceGateway } from 'keyplane/reference';
      await startReferenceGateway().catch(({ code, detail }) => process.stdout.write(code + ' ' + detail.package));
    `);
    expect(stdout).toBe('tool.missing-package libsql');
  });

  it('names what to install before it creates a key whose secret goes to AWS', async () => {
    const installation = await alone();
    const { env } = await withGateway(installation);
    const deliver = '[{ awsSecret: { name: prod/two, region: eu-central-1 } }]';
    const text = `version: 1\nownership: { scope: "prod-*" }\nkeys:\n  prod-one: {}\n  prod-two: { budget: { usd: 1 }, deliver: ${deliver} }\n`;
    await installation.write('keyplane.yaml', text);
    const allowed = { ...env, KEYPLANE_USER_ID: '42', KEYPLANE_ALLOWED_SINKS: 'aws://*' };
    const { code, stdout } = await installation.keyplane(['apply', '--yes'], { env: allowed });
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'tool.missing-package: Sinks in AWS Secrets Manager need the package',
    );
    expect(stdout.replace(/\s+/g, ' ')).toContain('npm install @aws-sdk/client-secrets-manager');
    expect(code).not.toBe(0);
    const state = await (await fetch(`${env.KEYPLANE_URL}/_reference/state`)).json();
    expect((state as { keys: { name: string }[] }).keys.map(({ name }) => name)).toEqual(['prod-one']);
  });

  it('has a gateway whose image models name what to install, and cost nothing', async () => {
    const installation = await alone({ packages: ['libsql'] });
    const { stdout, stderr } = await installation.script(`
      import { startReferenceGateway } from 'keyplane/reference';
      const gateway = await startReferenceGateway({ seed: ${JSON.stringify(SEED)} });
      const post = async (path, body) => {
        const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-one' };
        const answer = await fetch(gateway.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
        return [answer.status, await answer.text()];
      };
      const image = await post('/v1/images/generations', { model: '${IMAGE_MODEL}', prompt: 'a red lighthouse' });
      const headers = { authorization: 'Bearer rehearsal-only', 'new-api-user': '42' };
      const self = await (await fetch(gateway.url + '/api/user/self', { headers })).json();
      const chat = await post('/v1/chat/completions', { model: 'alpha-chat-1', messages: [{ role: 'user', content: 'ping' }] });
      await gateway.close();
      process.stdout.write(JSON.stringify({ image, quota: self.data.quota, chat: chat[0] }));
    `);
    expect(stderr).toBe('');
    const { image, quota, chat } = JSON.parse(stdout);
    expect({ status: image[0], quota, chat }).toEqual({ status: 501, quota: 50_000_000, chat: 200 });
    expect(image[1]).toContain('npm install sharp');
  });

  it('loads none of them with a module', async () => {
    const files: string[] = [];
    for (const folder of ['dist/cli', 'dist/chunks', 'dist/src']) {
      const names = await readdir(join(ROOT, folder), { recursive: true });
      files.push(...names.filter((name) => /\.c?js$/.test(name)).map((name) => join(folder, name)));
    }
    expect(files).toContainEqual(expect.stringMatching(/^dist\/cli\/.*\.cjs$/));
    for (const file of files) {
      expect(await readFile(join(ROOT, file), 'utf8')).not.toMatch(
        /\b(?:from ?|(?<!_)require\()["'`](?:sharp|libsql|@aws-sdk)["'`/]/,
      );
    }
  });
});

describe('an installation', () => {
  it('runs the code of its modules as strict, also in CommonJS', async () => {
    const folder = join(ROOT, 'dist/cli');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.cjs'));
    expect(files).not.toEqual([]);
    for (const name of files) expect(await readFile(join(folder, name), 'utf8')).toMatch(/^["'`]use strict["'`];/);
  });

  it('that lost a file while it was replaced reports that', async () => {
    const installation = await alone();
    const { env } = await withGateway(installation);
    const chunks = join(installation.home, 'dist/cli');
    const lost = (await readdir(chunks)).filter((name) => name.startsWith('system-'));
    expect(lost).toHaveLength(1);
    for (const name of lost) await rm(join(chunks, name));
    const { code, stderr } = await installation.keyplane(['plan'], { env });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('error[tool.incomplete]') });
    expect(stderr.replace(/\s+/g, ' ')).toContain('install Keyplane again');
  });

  it('that belongs to another user and cannot be written works', async (context) => {
    if (process.getuid?.() !== 0) context.skip('only a superuser can run a program as another user');
    const installation = await alone();
    const { env } = await withGateway(installation);
    for (const path of [installation.folder, installation.home]) await chmod(path, 0o755);
    await chmod(join(installation.folder, 'keyplane.yaml'), 0o644);
    for (const words of [['validate'], ['plan'], ['check', 'chat']]) {
      const { code, stderr } = await installation.keyplane(words, { env, uid: 1_234_567 });
      expect({ words, code, stderr }).toMatchObject({ code: 0 });
    }
  });

  it('of another version next to it keeps to itself', async () => {
    const [old, current] = [await alone({ version: '0.0.0' }), await alone()];
    expect((await old.keyplane(['--version'])).stdout).toBe('0.0.0\n');
    expect((await current.keyplane(['--version'])).stdout).not.toBe('0.0.0\n');
    const { stdout } = await current.script(`
      import { Secret } from 'keyplane';
      const other = await import('${old.home}/dist/src/index.js');
      process.stdout.write(String(new Secret('one')) + new other.Secret('two'));
    `);
    expect(stdout).toBe('‹secret›‹secret›');
  });
});
