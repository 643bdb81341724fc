import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const PLUGIN = resolve(import.meta.dirname, '../../../src/terraform/serve/plugin.ts');
const MESSAGE = resolve(import.meta.dirname, '../../../src/terraform/protocol/message.ts');

const COOKIE = 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2';

/** Runs a provider that does this once it serves. */
async function run(body: string) {
  const folder = await mkdtemp(join(tmpdir(), 'kp-'));
  const [entry, outfile] = [join(folder, 'entry.ts'), join(folder, 'entry.cjs')];
  const source = `
import { runPlugin } from ${JSON.stringify(PLUGIN)};
import { message } from ${JSON.stringify(MESSAGE)};
const mount = () => ({ service: 'tfplugin6.Provider', methods: { greet: { name: 'Greet', request: message({}), response: message({}) } }, handlers: {} });
runPlugin({ env: process.env, mount }).then(() => {
  ${body}
});
`;
  await writeFile(entry, source);
  await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', format: 'cjs', logLevel: 'error' });
  const env = { TF_PLUGIN_MAGIC_COOKIE: COOKIE, PLUGIN_UNIX_SOCKET_DIR: folder, TF_LOG: 'info' };
  const child = spawn(process.execPath, [outfile], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => err.push(text));
  const [code] = (await once(child, 'close')) as [number | null];
  await rm(folder, { recursive: true });
  return { code, out: out.join(''), err: err.join('') };
}

it('writes nothing to standard output but the handshake, whatever code writes to the console', async () => {
  const { out, err } = await run("console.log('loud'); console.error('wrong'); process.kill(process.pid, 'SIGTERM');");
  expect(out).toMatch(/^1\|6\|unix\|[^\n]*\n$/);
  const output = err.trim().split('\n');
  expect(output.map((line) => JSON.parse(line))).toMatchObject([
    { '@level': 'info', '@message': 'loud' },
    { '@level': 'error', '@message': 'wrong' },
  ]);
});

it.each([
  ['that nobody caught', 'setImmediate(() => { throw new TypeError(text); });'],
  ['of a promise that nobody waited for', 'void Promise.reject(new TypeError(text));'],
])('reports an error %s as a crash, without the credentials in it', async (_, body) => {
  const secret = `sk-${'c4n4ry'.repeat(8)}`;
  const { code, err } = await run(`const text = 'it broke at ${secret}'; ${body}`);
  expect([code, err]).toEqual([2, expect.stringMatching(/^panic: TypeError: it broke at •+\n {4}at /)]);
  expect(err).not.toContain('c4n4ry');
});
