import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TREE } from '../../../src/cli/index.ts';
import { openTerminal } from '../terminal.ts';

const TOKEN = 'token-that-a-stranger-wants';
const STRANGER = 'http://stranger.example';

const COMMANDS: readonly (readonly string[])[] = [
  ['plan'],
  ['apply', '--yes'],
  ['drift'],
  ['check'],
  ['import'],
  ['destroy', '--yes'],
  ['keys', 'list'],
  ['keys', 'list', '--search', 'app-1'],
  ['keys', 'get', 'app-1'],
  ['keys', 'reveal', 'app-1', '--yes'],
  ['keys', 'enable', 'app-1', '--yes'],
  ['keys', 'disable', 'app-1', '--yes'],
  ['keys', 'revoke', 'app-1', '--reason', 'leaked', '--yes'],
  ['keys', 'rename', 'app-1', 'app-2', '--yes'],
  ['keys', 'dedupe', '--yes'],
  ['keys', 'delete', 'app-1', '--yes'],
  ['keys', 'rotate', 'app-1', '--yes'],
  ['keys', 'identify'],
  ['account', 'show'],
  ['account', 'groups'],
  ['account', 'models', 'app-1'],
  ['account', 'rotate-token', '--out', 'new.token', '--yes'],
  ['usage'],
  ['usage', 'log'],
  ['audit'],
  ['lock', 'list'],
  ['lock', 'break', '--yes'],
  ['conformance'],
  ['doctor'],
];
/** Commands that know no gateway, or only one that they start or were given. */
const OTHERS = [
  'init',
  'validate',
  'convert',
  'schema',
  'gateway',
  'completion',
  'provider install',
  'provider schema',
];

describe('a gateway that only the manifest names', () => {
  let folder: string;
  let internet: Server;
  /** Every request that left this machine, with its credentials. */
  const sent: string[] = [];
  const manifest = (url: string, more = '') =>
    writeFile(
      join(folder, 'keyplane.yaml'),
      `version: 1\ngateway: { url: "${url}", userId: 42${more} }\nkeys: { app-1: {} }\n`,
    );
  const open = (env: Record<string, string> = {}, terminal = false) =>
    openTerminal({
      terminal,
      cwd: folder,
      env: {
        HOME: folder,
        NO_COLOR: '1',
        KEYPLANE_ACCESS_TOKEN: TOKEN,
        HTTP_PROXY: `http://127.0.0.1:${(internet.address() as AddressInfo).port}`,
        ...env,
      },
    });
  const ask = async (words: readonly string[], env: Record<string, string> = {}) => {
    const terminal = open(env);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err().replace(/\s+/g, ' ') };
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keyplane-stranger-'));
    // A proxy answers for every host, so that a name of a stranger can be reached without a network.
    internet = createServer((request, response) => {
      sent.push(`http://${request.headers.host}${request.url} ${request.headers.authorization ?? ''}`);
      const isOpen = request.url === '/api/status';
      response
        .writeHead(isOpen ? 200 : 401, { 'content-type': 'application/json' })
        .end(isOpen ? '{"success":true,"data":{"quota_per_unit":500000}}' : '{"success":false,"message":"no"}');
    });
    internet.on('connect', (_request, socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      internet.emit('connection', socket);
    });
    await new Promise<void>((done) => internet.listen(0, '127.0.0.1', done));
    await writeFile(join(folder, 'access.token'), `${TOKEN}\n`, { mode: 0o600 });
  });
  afterAll(async () => {
    internet.closeAllConnections();
    internet.close();
    await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    sent.length = 0;
    await manifest(STRANGER);
  });

  it('is tried with every command that sends a request to a configured gateway', () => {
    const tried = COMMANDS.map((words) => words.join(' '));
    const left = TREE.commands
      .map(({ path }) => path.join(' '))
      .filter((path) => !OTHERS.includes(path) && !tried.some((words) => `${words} `.startsWith(`${path} `)));
    expect(left).toEqual([]);
  });

  it.each(COMMANDS)('receives nothing from %s %s', async (...words) => {
    const { code, out, err } = await ask(words);
    expect([code, sent]).toEqual([4, []]);
    expect(out + err).not.toContain(TOKEN);
    if (words[0] !== 'doctor') expect(err).toContain('error[settings.unconfirmed-origin]');
    expect(words[0] === 'doctor' ? out.replace(/\s+/g, ' ') : err).toContain(
      `Only the manifest names the gateway ${STRANGER}, so Keyplane does not send credentials there.`,
    );
  });

  it.each([
    ['in a file of the environment', { KEYPLANE_ACCESS_TOKEN: '', KEYPLANE_ACCESS_TOKEN_FILE: 'access.token' }, ''],
    ['in a file of the manifest', { KEYPLANE_ACCESS_TOKEN: '' }, ', accessTokenFile: access.token'],
    ['next to an API key for the models', { KEYPLANE_MODELS_KEY: `sk-${'a1'.repeat(24)}` }, ''],
  ])('receives no access token that is %s', async (_, env, more) => {
    await manifest(STRANGER, more);
    for (const command of [['plan'], ['doctor']]) expect((await ask(command, env)).code).toBe(4);
    expect(sent).toEqual([]);
  });

  it('receives nothing when it is in the provider block of Terraform JSON', async () => {
    const file = {
      terraform: { required_providers: { keyplane: { source: 'keyplane/keyplane' } } },
      provider: { keyplane: { url: STRANGER, user_id: 42 } },
      resource: { keyplane_api_key: { a: { name: 'app-1', budget: { usd: 5, per: 'lifetime' } } } },
    };
    await writeFile(join(folder, 'main.tf.json'), JSON.stringify(file));
    expect([(await ask(['plan', '-f', 'main.tf.json'])).code, sent]).toEqual([4, []]);
  });

  it.each([
    ['--url', ['--url', STRANGER], {}],
    ['KEYPLANE_URL', [], { KEYPLANE_URL: 'http://Stranger.example:80/' }],
    [
      'KEYPLANE_ALLOWED_ORIGINS',
      [],
      { KEYPLANE_ALLOWED_ORIGINS: 'https://other.example, http://STRANGER.example:80/' },
    ],
  ])('receives the access token once %s names its origin as well', async (_, flags, env) => {
    expect((await ask(['plan', ...flags], env)).code).toBe(7);
    expect(sent.some((line) => line.startsWith(`${STRANGER}/`) && line.includes(TOKEN))).toBe(true);
  });

  it('receives the access token once a person has typed its name, and asks only once in a run', async () => {
    const terminal = open({}, true);
    const code = terminal.run('plan');
    await terminal.shows('Type stranger.example to continue: ');
    expect(sent).toEqual([]);
    terminal.type('stranger.example');
    expect(await code).toBe(7);
    expect(sent.length).toBeGreaterThan(0);
  });

  it.each(['yes', ''])('receives nothing after the answer %j, nor because of --yes', async (answer) => {
    const terminal = open({}, true);
    const code = terminal.run('apply', '--yes');
    await terminal.shows('Type stranger.example');
    terminal.type(answer);
    expect([await code, sent]).toEqual([4, []]);
  });
});
