import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const PLUGIN = resolve(import.meta.dirname, '../../../src/terraform/serve/plugin.ts');
const MESSAGE = resolve(import.meta.dirname, '../../../src/terraform/protocol/message.ts');

/** A provider that is chatty, and ends by itself. */
const CHATTY = `
import { runPlugin } from ${JSON.stringify(PLUGIN)};
import { message } from ${JSON.stringify(MESSAGE)};
const mount = () => ({ service: 'tfplugin6.Provider', calls: { say: { name: 'Say', request: message({}), response: message({}) } }, answers: {} });
runPlugin({ env: process.env, mount }).then(() => {
  console.log('loud');
  console.error('wrong');
  process.kill(process.pid, 'SIGTERM');
});
`;

it('writes nothing to standard output but the handshake, whatever code writes to the console', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kp-'));
  const entry = join(folder, 'entry.ts');
  const outfile = join(folder, 'entry.cjs');
  await writeFile(entry, CHATTY);
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
  const env = {
    TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
    PLUGIN_UNIX_SOCKET_DIR: folder,
    TF_LOG: 'info',
  };
  const child = spawn(process.execPath, [outfile], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  await once(child, 'close');
  await rm(folder, { recursive: true });
  expect(out.join('')).toMatch(/^1\|6\|unix\|[^\n]*\n$/);
  const said = err.join('').trim().split('\n');
  expect(said.map((line) => JSON.parse(line))).toMatchObject([
    { '@level': 'info', '@message': 'loud' },
    { '@level': 'error', '@message': 'wrong' },
  ]);
});
