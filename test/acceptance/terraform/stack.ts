import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestContext } from 'vitest';
import { openFileJournal } from '../../../src/disk/index.ts';
import { keyplaneProvider } from '../../../src/terraform/keyplane/provider.ts';
import { BROKER, PROVIDER, SERVICE_NAMES, STDIO } from '../../../src/terraform/protocol/services.ts';
import { handlersOf } from '../../../src/terraform/provider/handlers.ts';
import { reattachment } from '../../../src/terraform/serve/debug.ts';
import { listen } from '../../../src/terraform/serve/grpc.ts';
import { readRoot } from '../../architecture/repository.ts';
import { ACCESS_TOKEN, type Place } from '../place.ts';

const INSTALLED = resolve(import.meta.dirname, '../../../dist/provider/provider.cjs');
const VERSION = '0.1.0';
/** Terraform and OpenTofu complete the same source with their own registry. */
const HOSTS = ['registry.terraform.io', 'registry.opentofu.org'].map((host) => `${host}/keyplane/keyplane`);

/** The engine that runs the provider: Terraform, or the program at a path of which another release or OpenTofu is. */
export const ENGINE = process.env.KEYPLANE_TEST_ENGINE ?? 'terraform';

interface EngineVersion {
  readonly terraform_version: string;
  readonly platform: string;
}

/** A configuration of the machine that has a fault would be in the output. */
const ENGINE_ENVIRONMENT = { PATH: process.env.PATH ?? '', HOME: tmpdir(), CHECKPOINT_DISABLE: '1' };

/** Undefined where the program is missing. */
function tryReadVersion(): EngineVersion | undefined {
  const { status, stdout } = spawnSync(ENGINE, ['version', '-json'], { env: ENGINE_ENVIRONMENT, encoding: 'utf8' });
  return status === 0 ? (JSON.parse(stdout) as EngineVersion) : undefined;
}

const engine = tryReadVersion();

/** Named by `npm test` where the program is missing. */
export function skipWithoutTerraform(context: TestContext): void {
  if (engine === undefined) context.skip(`it runs ${ENGINE}, which is not installed`);
}

/** The version of the engine; zeros where it is missing. */
export function versionOfEngine(): { readonly major: number; readonly minor: number } {
  const [major = 0, minor = 0] = (engine?.terraform_version ?? '').split('.').map(Number);
  return { major, minor };
}

/** OpenTofu numbers its releases on its own. */
export const isOpenTofu = (): boolean =>
  spawnSync(ENGINE, ['version'], { env: ENGINE_ENVIRONMENT, encoding: 'utf8' }).stdout.startsWith('OpenTofu');

/** Queries, list resources and actions: Terraform has them from 1.14 on, and OpenTofu does not. */
export function skipWithoutQueries(context: TestContext): void {
  skipWithoutTerraform(context);
  if (isOpenTofu() || versionOfEngine().minor < 14) context.skip('it needs Terraform 1.14');
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

type Environment = Readonly<Record<string, string>>;

/** A folder with a configuration, in which terraform finds the provider by itself. */
export interface Stack {
  run(...words: readonly string[]): Promise<Ran>;
  /** Runs with more variables, which the provider gets too. */
  runWith(environment: Environment, ...words: readonly string[]): Promise<Ran>;
  write(name: string, text: string): Promise<void>;
  /** Another configuration, without the block that requires the provider. */
  configure(configuration: string): Promise<void>;
}

/** A stack in which terraform starts the built provider itself. */
export interface InstalledStack extends Stack {
  start(words: readonly string[]): { child: ChildProcess; ended: Promise<Ran> };
  /** Starts with more variables, which the provider gets too. */
  startWith(environment: Environment, words: readonly string[]): { child: ChildProcess; ended: Promise<Ran> };
  /** Installs the provider as this version, and goes over to it. */
  upgrade(version: string): Promise<void>;
}

async function installInto(folder: string, version: string): Promise<void> {
  for (const host of HOSTS) {
    const mirror = join(folder, 'terraform.d/plugins', host, version, engine?.platform ?? '');
    await mkdir(mirror, { recursive: true });
    const shim = join(mirror, `terraform-provider-keyplane_v${version}`);
    await writeFile(shim, `#!/bin/sh\nexec '${process.execPath}' '${INSTALLED}' "$@"\n`);
    await chmod(shim, 0o755);
  }
}

const HEAD = 'terraform {\n  required_providers {\n    keyplane = { source = "keyplane/keyplane" }\n  }\n}\n';

const environmentOf = ({ folder, url }: Pick<Place, 'folder' | 'url'>): Environment => ({
  PATH: process.env.PATH ?? '',
  HOME: folder,
  CHECKPOINT_DISABLE: '1',
  TF_IN_AUTOMATION: '1',
  TF_CLI_ARGS: '-no-color',
  KEYPLANE_URL: url,
  KEYPLANE_USER_ID: '42',
  KEYPLANE_ACCESS_TOKEN: ACCESS_TOKEN,
  KEYPLANE_SETTLE: '0s',
  // The claim of a killed provider ends after two minutes.
  KEYPLANE_LOCK: 'none',
});

/** Core would collect garbage for a third of its time. */
const WITHOUT_COLLECTION: Environment = { GOGC: 'off', GOMEMLIMIT: '512MiB' };

function startTerraform(cwd: string, env: Environment, words: readonly string[]): ReturnType<InstalledStack['start']> {
  const options = { cwd, env: { ...WITHOUT_COLLECTION, ...env } };
  const child = spawn(ENGINE, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, ...output })) };
}

/** Writes the configuration, after the block that requires the provider. */
async function startStack(
  { folder }: Pick<Place, 'folder'>,
  configuration: string,
): Promise<Pick<Stack, 'write' | 'configure'>> {
  const write = (name: string, text: string): Promise<void> => writeFile(join(folder, name), text);
  const configure = (text: string): Promise<void> => write('main.tf', HEAD + text);
  await configure(configuration);
  return { write, configure };
}

/** Serves a provider in this process, which terraform finds by a variable. */
async function serveProvider(env: Environment): Promise<{ env: Environment; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'kp-'));
  const socket = join(folder, 's');
  const stop = new AbortController();
  const now = (): number => Math.floor(Date.now() / 1000);
  const provider = keyplaneProvider(env, now, {
    // A command has ended when the next one begins, although this process goes on.
    openJournal: async (account) =>
      openFileJournal({
        env,
        account,
        now,
        pid: process.pid,
        random: Math.random,
        keeper: 'stack',
        hasEnded: async () => true,
      }),
  });
  const { close } = await listen({
    socket,
    services: [
      { service: SERVICE_NAMES.provider, methods: PROVIDER, handlers: handlersOf(provider, stop) },
      { service: SERVICE_NAMES.stdio, methods: STDIO, handlers: {} },
      { service: SERVICE_NAMES.broker, methods: BROKER, handlers: {} },
    ],
    tls: undefined,
    stop: stop.signal,
    onDefect: (method, thrown) => process.stderr.write(`${method} failed: ${String(thrown)}\n`),
  });
  return {
    env: { ...env, TF_REATTACH_PROVIDERS: reattachment(HOSTS, socket) },
    async close() {
      // Core does not end a provider that it has not started.
      await provider.close();
      close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Runs terraform once, with a provider that this process serves. */
export async function runServed(cwd: string, env: Environment, words: readonly string[]): Promise<Ran> {
  const served = await serveProvider(env);
  try {
    return await startTerraform(cwd, served.env, words).ended;
  } finally {
    await served.close();
  }
}

/** The version that constructs require. */
const { version: RELEASE } = JSON.parse(readRoot('package.json')) as { readonly version: string };

/** Runs terraform once, which starts the built provider itself: two configurations of it need two processes. */
export async function runInstalled(cwd: string, env: Environment, words: readonly string[]): Promise<Ran> {
  await installInto(cwd, RELEASE);
  return await startTerraform(cwd, env, words).ended;
}

/**
 * Opens a stack whose provider is served by this process, one for each command. Terraform would start an installed one three
 * times for each command, which takes four times as long as all the rest. Tests of logs, versions and signals, and those with
 * two configurations of the provider, need an installed one.
 *
 * @param configuration without the block that requires the provider, which it brings
 */
export async function openStack(place: Pick<Place, 'folder' | 'url'>, configuration: string): Promise<Stack> {
  const runWith: Stack['runWith'] = (more, ...words) =>
    runServed(place.folder, { ...environmentOf(place), ...more }, words);
  return { ...(await startStack(place, configuration)), runWith, run: (...words) => runWith({}, ...words) };
}

/** Opens a stack in which the built provider is installed. @param configuration as for `openStack` */
export async function openInstalledStack(
  place: Pick<Place, 'folder' | 'url'>,
  configuration: string,
): Promise<InstalledStack> {
  const { folder } = place;
  const runWith: Stack['runWith'] = (more, ...words) =>
    startTerraform(folder, { ...environmentOf(place), ...more }, words).ended;
  const init = async (...words: readonly string[]): Promise<void> => {
    const { code, stderr } = await runWith({}, 'init', ...words);
    if (code !== 0) throw new Error(stderr);
  };
  const started = await startStack(place, configuration);
  await installInto(folder, VERSION);
  await init();
  return {
    ...started,
    runWith,
    run: (...words) => runWith({}, ...words),
    start: (words) => startTerraform(folder, environmentOf(place), words),
    startWith: (more, words) => startTerraform(folder, { ...environmentOf(place), ...more }, words),
    async upgrade(version) {
      await installInto(folder, version);
      await init('-upgrade');
    },
  };
}
