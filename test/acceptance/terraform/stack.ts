import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { TestContext } from 'vitest';
import { ACCESS_TOKEN, type Place } from '../place.ts';

const PROVIDER = resolve(import.meta.dirname, '../../../dist/provider/provider.cjs');
const VERSION = '0.1.0';
const HOST = 'registry.terraform.io/keyplane/keyplane';

const isThere = spawnSync('terraform', ['-version'], { stdio: 'ignore' }).status === 0;

/** Named by `npm test` where the program is missing. */
export function skipWithoutTerraform(context: TestContext): void {
  if (!isThere) context.skip('it runs terraform, which is not installed');
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder with a configuration, in which terraform finds the built provider by itself. */
export interface Stack {
  run(...words: readonly string[]): Promise<Ran>;
  start(words: readonly string[], env?: Readonly<Record<string, string>>): { child: ChildProcess; ended: Promise<Ran> };
  write(name: string, text: string): Promise<void>;
  /** Another configuration, without the block that requires the provider. */
  configure(configuration: string): Promise<void>;
  /** Installs the provider as this version, and goes over to it. */
  upgrade(version: string): Promise<void>;
}

const platform = (): string => {
  const { stdout } = spawnSync('terraform', ['version', '-json'], { encoding: 'utf8' });
  return (JSON.parse(stdout) as { platform: string }).platform;
};

async function installInto(folder: string, version: string): Promise<void> {
  const mirror = join(folder, 'terraform.d/plugins', HOST, version, platform());
  await mkdir(mirror, { recursive: true });
  const shim = join(mirror, `terraform-provider-keyplane_v${version}`);
  await writeFile(shim, `#!/bin/sh\nexec '${process.execPath}' '${PROVIDER}' "$@"\n`);
  await chmod(shim, 0o755);
}

const HEAD = 'terraform {\n  required_providers {\n    keyplane = { source = "keyplane/keyplane" }\n  }\n}\n';

/** @param configuration without the block that requires the provider, which it brings */
export async function openStack(place: Place, configuration: string): Promise<Stack> {
  const { folder, url } = place;
  await installInto(folder, VERSION);
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  const configure = (text: string): Promise<void> => write('main.tf', HEAD + text);
  await configure(configuration);
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    CHECKPOINT_DISABLE: '1',
    TF_IN_AUTOMATION: '1',
    TF_CLI_ARGS: '-no-color',
    KEYPLANE_URL: url,
    KEYPLANE_USER_ID: '42',
    KEYPLANE_ACCESS_TOKEN: ACCESS_TOKEN,
  };
  const start: Stack['start'] = (words, env = {}) => {
    const child = spawn('terraform', words, {
      cwd: folder,
      env: { ...environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
    return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...output })) };
  };
  const run: Stack['run'] = (...words) => start(words).ended;
  const init = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await run('init', ...words);
    if (code !== 0) throw new Error(stderr);
  };
  await init();
  return {
    start,
    write,
    configure,
    run,
    async upgrade(version) {
      await installInto(folder, version);
      await init('-upgrade');
    },
  };
}
