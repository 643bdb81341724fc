import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyplaneProvider } from '../../../src/terraform/keyplane/provider.ts';
import { encode } from '../../../src/terraform/protocol/message.ts';
import { SchemaResponse } from '../../../src/terraform/protocol/provider-messages.ts';
import { CONTROLLER, HEALTH, PROVIDER, STDIO } from '../../../src/terraform/protocol/services.ts';
import { handlersOf } from '../../../src/terraform/provider/handlers.ts';
import { issueCertificate } from '../../../src/terraform/serve/certificate.ts';
import { openPluginClient, type PluginClient } from '../../terraform/plugin-client.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../dist/provider/lib/main.mjs');
const core = issueCertificate(Date.now());

let folder = '';
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kp-life-'));
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

const invited = () => ({
  PATH: process.env.PATH ?? '',
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
  PLUGIN_PROTOCOL_VERSIONS: '5,6',
  PLUGIN_UNIX_SOCKET_DIR: folder,
  PLUGIN_CLIENT_CERT: core.certificate,
});

interface Plugin {
  readonly child: ChildProcess;
  readonly socket: string;
  readonly client: PluginClient;
  readonly errors: () => string;
  readonly closed: Promise<unknown[]>;
}

function start(
  program: string,
  args: readonly string[],
  env: Record<string, string>,
): Omit<Plugin, 'socket' | 'client'> {
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return { child, errors: () => text, closed: once(child, 'close') };
}

/** Core, as far as a provider sees it: reads the line, and comes with its certificate. */
async function open(program = process.execPath, args: readonly string[] = [PROGRAM]): Promise<Plugin> {
  const started = start(program, args, invited());
  const [line] = (await once(createInterface({ input: started.child.stdout as never }), 'line')) as [string];
  const [, , , socket = '', , der = ''] = line.split('|');
  expect(line.split('|').slice(0, 3)).toEqual(['1', '6', 'unix']);
  expect(der).not.toContain('=');
  const theirs = new X509Certificate(Buffer.from(der, 'base64')).toString();
  return { ...started, socket, client: openPluginClient(socket, { own: core, theirs }) };
}

describe('the life of a provider process', () => {
  it('starts with a handshake, and ends when core requests it, with nothing left behind', async () => {
    const { client, socket, closed } = await open();
    expect(await client.ask('health', HEALTH.check, { service: 'plugin' })).toEqual({ status: 1 });
    expect((await client.ask('provider', PROVIDER.getMetadata, {})).dataSources.length).toBeGreaterThan(0);
    await client.ask('controller', CONTROLLER.shutdown, {});
    client.close();
    expect(await closed).toEqual([0, null]);
    expect(existsSync(dirname(socket))).toBe(false);
  });

  it('answers with the schema of its sources, which its bundle holds in bytes', async () => {
    const { child, client, closed } = await open();
    const handlers = handlersOf(
      keyplaneProvider({}, () => 0),
      new AbortController(),
    );
    const made = await handlers.getProviderSchema({}, { signal: new AbortController().signal });
    const schema = await client.ask('provider', PROVIDER.getProviderSchema, {});
    expect(encode(SchemaResponse, schema)).toEqual(encode(SchemaResponse, made));
    child.kill('SIGTERM');
    client.close();
    await closed;
  });

  it('continues after Ctrl-C, which reaches it too, until core requests a stop', async () => {
    const { child, client, closed } = await open();
    child.kill('SIGINT');
    await client.ask('provider', PROVIDER.stopProvider, {});
    expect((await client.ask('provider', PROVIDER.getMetadata, {})).functions.length).toBeGreaterThan(0);
    child.kill('SIGTERM');
    client.close();
    expect(await closed).toEqual([0, null]);
  });

  it('does not outlive core, however core ends', async () => {
    // The shell stands for core: it starts the provider and is killed. Whoever reads the provider’s output sees its end.
    const { child, client, closed } = await open('/bin/sh', ['-c', `'${process.execPath}' '${PROGRAM}' & wait`]);
    client.close();
    child.kill('SIGKILL');
    await closed;
  });

  it('ends when core leaves the stream that it holds, before the parent process is seen to have ended', async () => {
    const { client, closed } = await open();
    const held = client.hold('stdio', STDIO.streamStdio);
    expect((await client.ask('provider', PROVIDER.getMetadata, {})).dataSources.length).toBeGreaterThan(0);
    client.leave();
    expect(await closed).toEqual([0, null]);
    await held;
  });

  it('explains its purpose to people who start it by hand', async () => {
    const { errors, closed } = start(process.execPath, [PROGRAM], { PATH: process.env.PATH ?? '' });
    expect(await closed).toEqual([1, null]);
    expect(errors()).toContain('provider for Terraform and OpenTofu');
  });
});
