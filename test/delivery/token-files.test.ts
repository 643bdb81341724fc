import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FIRST, METADATA } from '../contract/sink-suite.ts';
import { openRemoteIn } from './remote.ts';
import { scratch } from './scratch.ts';
import { startGithub } from './servers/github-server.ts';
import { startGitlab } from './servers/gitlab-server.ts';
import { startVault } from './servers/vault-server.ts';

/** The services, their variables in the order in which they are looked up, and a sink in each. */
const SERVICES = [
  {
    title: 'Vault',
    start: () => startVault(),
    names: ['VAULT_TOKEN', 'BAO_TOKEN'],
    targetAt: (url: string) => ({ vault: { url, path: 'apps/shop', as: 'KEY' } }),
  },
  {
    title: 'GitLab',
    start: () => startGitlab(),
    names: ['GITLAB_TOKEN'],
    targetAt: (url: string) => ({ gitlabVariable: { url, project: 'acme/shop', as: 'KEY' } }),
  },
  {
    title: 'GitHub',
    start: () => startGithub(),
    names: ['GH_ENTERPRISE_TOKEN', 'GITHUB_ENTERPRISE_TOKEN'],
    targetAt: (url: string) => ({ githubSecret: { url, repository: 'acme/shop', as: 'KEY' } }),
  },
];

describe.each(SERVICES)('the token of $title in a file', ({ start, names, targetAt }) => {
  const [name = ''] = names;
  let server: Awaited<ReturnType<typeof start>>;
  let room: Awaited<ReturnType<typeof scratch>>;
  beforeEach(async () => {
    [server, room] = await Promise.all([start(), scratch()]);
  });
  afterEach(() => Promise.all([server.close(), room.close()]));

  const sinkWith = (env: Readonly<Record<string, string>>) => openRemoteIn(targetAt(server.url), env);
  const inFile = async (text: string | Uint8Array): Promise<string> => {
    const path = join(room.folder, 'token');
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };

  it.each([
    ['as it is', (token: string) => token],
    ['with a line break at its end', (token: string) => `${token}\n`],
    ['with a line break of Windows at its end', (token: string) => `${token}\r\n`],
    ['between blanks', (token: string) => `  ${token} \n\n`],
  ])('is used %s', async (_, written) => {
    const path = await inFile(written(server.token));
    await sinkWith({ [`${name}_FILE`]: path }).write(FIRST, METADATA);
    expect(await sinkWith({ [`${name}_FILE`]: path }).compare(FIRST)).toBe('current');
  });

  it('is used from a file that others can read, as volumes of containers are', async () => {
    const path = await inFile(server.token);
    await chmod(path, 0o644);
    expect(await sinkWith({ [`${name}_FILE`]: path }).probe()).toBe('absent');
  });

  it('is read again by the next run, so that a file that an agent renews works', async () => {
    const path = await inFile('an-old-token');
    await expect(sinkWith({ [`${name}_FILE`]: path }).probe()).rejects.toMatchObject({ code: 'sink.unauthorized' });
    await inFile(server.token);
    expect(await sinkWith({ [`${name}_FILE`]: path }).probe()).toBe('absent');
  });

  it('counts less than the variable itself, and an empty variable counts nothing', async () => {
    const path = await inFile('not-the-token');
    expect(await sinkWith({ [name]: server.token, [`${name}_FILE`]: path }).probe()).toBe('absent');
    const right = await inFile(server.token);
    expect(await sinkWith({ [name]: ' ', [`${name}_FILE`]: right }).probe()).toBe('absent');
  });

  it.each<[string, () => Promise<string>, RegExp]>([
    ['is missing', async () => join(room.folder, 'nowhere'), /cannot be read: /],
    ['is empty', () => inFile(''), /is not a token/],
    ['has blanks only', () => inFile(' \n\t\n'), /is not a token/],
    ['has two lines', () => inFile('first-line\nsecond-line\n'), /is not a token/],
    ['has other characters than a header can hold', () => inFile('tökén'), /is not a token/],
    ['is binary', () => inFile(new Uint8Array([0, 255, 254])), /is not a token/],
    ['is larger than 1 MiB', () => inFile('x'.repeat(1024 * 1024 + 1)), /larger than 1 MiB/],
    ['never ends', async () => '/dev/zero', /larger than 1 MiB/],
    [
      'is a folder',
      async () => {
        await mkdir(join(room.folder, 'folder'));
        return join(room.folder, 'folder');
      },
      /cannot be read: /,
    ],
  ])('is refused before a request where the file %s, and never repeated', async (_, file, message) => {
    const before = server.requests.length;
    const path = await file();
    const fault = await sinkWith({ [`${name}_FILE`]: path })
      .probe()
      .catch((thrown: unknown) => thrown);
    expect(fault).toMatchObject({ code: 'sink.unauthorized', message: expect.stringMatching(message) });
    expect(String(fault)).toContain(`${name}_FILE`);
    expect(`${fault}${JSON.stringify(fault)}`).not.toMatch(/first-line|second-line|tökén|xxxx/);
    expect(server.requests).toHaveLength(before);
  });

  it('is named with all its variables where none is set', async () => {
    await expect(sinkWith({}).probe()).rejects.toMatchObject({
      code: 'sink.unauthorized',
      hint: `Set ${names.join(' or ')}, or ${name}_FILE to the path of a file that contains the token.`,
    });
  });
});
