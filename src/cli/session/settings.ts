import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { comparableAddress, Fault, fileTrouble, Secret, tryParseDuration } from '../../domain/index.ts';
import type { GatewayProfile } from '../../gateway/index.ts';
import type { GatewaySection } from '../../manifest/index.ts';
import { count, type GivenFlags, parseCount, text } from '../program/option.ts';
import { checkUrl } from './check-url.ts';
import { type Chosen, choose } from './chosen.ts';
import type { Environment } from './io.ts';
import { type Variable, variable } from './variables.ts';

/** The process's environment: this file is the only one that reads it. */
export const processEnvironment = (): Environment => process.env;

/** Keys of upstreams, in the variables that a seed file names. */
export const upstreamKeyIn =
  (env: Environment) =>
  (name: string): Secret | undefined =>
    env[name] ? new Secret(env[name]) : undefined;

const eitherCase = (env: Environment, name: Variable): string | undefined =>
  env[name.toLowerCase()] || env[name] || undefined;

export interface Sources {
  readonly given: GivenFlags;
  readonly env: Environment;
  readonly cwd: string;
  readonly manifest?: GatewaySection | undefined;
  /** The command finds out how the gateway behaves, and may write the profile that the others read. */
  readonly ignoresProfile?: boolean;
}

/** The source of the access token, before it is read. */
export type TokenSource =
  | { readonly kind: 'file'; readonly path: string; readonly from: string }
  | { readonly kind: 'variable'; readonly read: () => Secret; readonly from: string }
  | { readonly kind: 'none' };

/** The sources of the settings that decide on the account. */
export interface SettingOrigins {
  readonly url: Chosen<string>;
  readonly userId: Chosen<number>;
  /** The name of the variable or the field. */
  readonly accessToken: string;
}

/** The address of a gateway, its credentials and the settings of the connection. */
export interface GatewaySettings {
  readonly url: string;
  readonly userId: number;
  readonly accessToken: Secret;
  readonly origins: SettingOrigins;
  readonly ca?: string;
  readonly proxy: { readonly http?: string; readonly https?: string; readonly no?: string };
  readonly timeoutMs?: number;
  readonly concurrency: number;
  readonly modelsKey?: Secret;
  readonly profile?: GatewayProfile;
}

const DEFAULT_CONCURRENCY = 8;

const URL_NAMES = {
  flag: '--url',
  environment: 'KEYPLANE_URL',
  manifest: 'gateway.url',
  things: 'gateways',
} as const;

const USER_NAMES = {
  flag: '--user-id',
  environment: 'KEYPLANE_USER_ID',
  manifest: 'gateway.userId',
  things: 'accounts',
} as const;

export const isSameAddress = (a: string, b: string): boolean => comparableAddress(a) === comparableAddress(b);

/**
 * The address of the gateway, from the flag, else from the environment, else from the manifest.
 *
 * @throws Fault `settings.conflicting`, `usage.invalid`
 */
export function findUrl({ given, env, manifest }: Sources): Chosen<string> | undefined {
  const flag = text(given, 'url');
  const environment = variable(env, 'KEYPLANE_URL');
  // An error shows both addresses, so a credential that was put into the wrong variable is rejected first.
  if (flag === undefined && environment !== undefined && manifest?.url !== undefined) checkUrl(environment);
  return choose({ flag, environment, manifest: manifest?.url }, URL_NAMES, isSameAddress);
}

/**
 * The user ID, from the flag, else from the environment, else from the manifest.
 *
 * @throws Fault `settings.conflicting`, `usage.invalid`
 */
export function findUserId({ given, env, manifest }: Sources): Chosen<number> | undefined {
  const flag = count(given, 'user-id', 1);
  const value = flag === undefined ? variable(env, 'KEYPLANE_USER_ID') : undefined;
  const environment = value === undefined ? undefined : parseCount(value, 'KEYPLANE_USER_ID', 1);
  return choose({ flag, environment, manifest: manifest?.userId }, USER_NAMES, Object.is);
}

/** The variables that hold a credential. */
export const CREDENTIAL_VARIABLES = [
  'KEYPLANE_ACCESS_TOKEN',
  'KEYPLANE_MODELS_KEY',
  'VAULT_TOKEN',
  'BAO_TOKEN',
  'GITLAB_TOKEN',
  'GH_TOKEN',
  'GITHUB_TOKEN',
  'GH_ENTERPRISE_TOKEN',
  'GITHUB_ENTERPRISE_TOKEN',
] as const satisfies readonly Variable[];

const asSecrets = (values: readonly (string | undefined)[]): readonly Secret[] =>
  values.flatMap((value) => (value?.trim() ? [new Secret(value.trim())] : []));

/** Reads a token or a certificate. The room is loaded on use: most runs have no such file. */
async function readSmallFile(path: string): Promise<string> {
  const { MOST_BYTES, readBoundedText } = await import('../../source/index.ts');
  return readBoundedText(path, MOST_BYTES.credential);
}

/** The credentials in the files that variables name by `…_FILE`, as far as they can be read. */
async function inFiles(
  { env, cwd }: Pick<Sources, 'env' | 'cwd'>,
  names: readonly Variable[],
): Promise<readonly Secret[]> {
  const paths = names.flatMap((name) => env[`${name}_FILE`] || []);
  return asSecrets(await Promise.all(paths.map((path) => readSmallFile(resolve(cwd, path)).catch(() => undefined))));
}

/** The access tokens of the environment, as far as they can be read: no output contains one. */
export const accessTokens = async (sources: Pick<Sources, 'env' | 'cwd'>): Promise<readonly Secret[]> => [
  ...asSecrets([variable(sources.env, 'KEYPLANE_ACCESS_TOKEN')]),
  ...(await inFiles(sources, ['KEYPLANE_ACCESS_TOKEN'])),
];

/** The credentials of the environment: no manifest may contain one. */
export const knownSecrets = async (sources: Pick<Sources, 'env' | 'cwd'>): Promise<readonly Secret[]> => [
  ...asSecrets(CREDENTIAL_VARIABLES.map((name) => variable(sources.env, name))),
  ...(await inFiles(sources, CREDENTIAL_VARIABLES)),
];

/** The token is never a flag, because every process of the machine can read command lines. */
export function findTokenSource({ env, cwd, manifest }: Sources): TokenSource {
  const token = variable(env, 'KEYPLANE_ACCESS_TOKEN');
  const from = 'KEYPLANE_ACCESS_TOKEN';
  if (token !== undefined) return { kind: 'variable', read: () => tokenIn(token, from), from };
  const path = variable(env, 'KEYPLANE_ACCESS_TOKEN_FILE');
  if (path !== undefined) return { kind: 'file', path: resolve(cwd, path), from: 'KEYPLANE_ACCESS_TOKEN_FILE' };
  const file = manifest?.accessTokenFile;
  return file === undefined ? { kind: 'none' } : { kind: 'file', path: file, from: 'gateway.accessTokenFile' };
}

const TOKEN_HINT =
  'Set KEYPLANE_ACCESS_TOKEN, or KEYPLANE_ACCESS_TOKEN_FILE, or gateway.accessTokenFile in the manifest. ' +
  'Create the token in the gateway’s account settings (API access), which also show the user ID.';

/** A token in quotes was pasted from a shell or a `.env` file: the gateway would only reject it. @throws Fault `credentials.missing` */
function tokenIn(text: string, origin: string): Secret {
  const token = text.trim();
  if (!/^(["'`]).*\1$/s.test(token)) return new Secret(token);
  throw new Fault('credentials.missing', `The access token of ${origin} is in quotes.`, {
    hint: 'Remove the quotes: they are not part of the token.',
  });
}

/** @throws Fault `credentials.missing` */
export async function readToken(source: TokenSource): Promise<Secret> {
  if (source.kind === 'variable') return source.read();
  if (source.kind === 'none') {
    throw new Fault('credentials.missing', 'No system access token was given.', { hint: TOKEN_HINT });
  }
  const found = await readSmallFile(source.path).catch((cause: unknown) => {
    throw new Fault(
      'credentials.missing',
      `The access token file ${source.path} (${source.from}) cannot be read: ${fileTrouble(cause)}.`,
      { hint: TOKEN_HINT, cause },
    );
  });
  if (found.trim() !== '') return tokenIn(found, `${source.path} (${source.from})`);
  throw new Fault('credentials.missing', `The access token file ${source.path} (${source.from}) is empty.`, {
    hint: TOKEN_HINT,
  });
}

/** May others than the owner read this file? Always false where modes mean nothing. */
export async function isReadableByOthers(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && (found.mode & 0o077) !== 0;
}

/**
 * Everything that opening a gateway needs.
 *
 * @param confirmOrigin decides whether the gateway may receive credentials, before any is read; throws where it may not.
 * @throws Fault `credentials.missing`, `settings.conflicting`, `usage.invalid`
 */
export async function resolveSettings(
  sources: Sources,
  confirmOrigin: (url: Chosen<string>) => Promise<void>,
  askOwner: (settings: Omit<GatewaySettings, 'userId' | 'origins'>) => Promise<number>,
): Promise<GatewaySettings> {
  const url = findUrl(sources);
  if (url === undefined) {
    throw new Fault('usage.invalid', 'No gateway was given.', {
      hint: 'Pass --url, set gateway.url in the manifest, or set KEYPLANE_URL.',
    });
  }
  checkUrl(url.value);
  const named = findUserId(sources);
  await confirmOrigin(url);
  const tokenSource = findTokenSource(sources);
  const accessToken = await readToken(tokenSource);
  const settings = { url: url.value, accessToken, ...(await connectionSettings(sources)) };
  const userId = named ?? (await ownerOf(askOwner(settings)));
  const origins = { url, userId, accessToken: 'from' in tokenSource ? tokenSource.from : '' };
  return { ...settings, userId: userId.value, origins };
}

/** The user ID that the gateway reports. @throws Fault `credentials.missing` where it does not answer without one */
async function ownerOf(answer: Promise<number>): Promise<Chosen<number>> {
  const value = await answer.catch((thrown: unknown) => {
    if (!(thrown instanceof Fault) || thrown.code !== 'credentials.refused') throw thrown;
    throw new Fault('credentials.missing', 'No user ID was given.', {
      hint: 'Pass --user-id, set gateway.userId in the manifest, or set KEYPLANE_USER_ID. The gateway’s account settings show it.',
      cause: thrown,
    });
  });
  return { value, source: 'gateway', from: 'the gateway' };
}

type ConnectionSettings = Omit<GatewaySettings, 'url' | 'userId' | 'accessToken' | 'origins'>;

/** The settings that matter to every connection, also one without credentials. */
export async function connectionSettings(sources: Sources): Promise<ConnectionSettings> {
  const { given, env } = sources;
  const ca = await readCa(sources);
  const timeoutMs = readTimeout(sources);
  const profile = await readProfile(sources);
  const modelsKey = variable(env, 'KEYPLANE_MODELS_KEY');
  const fromEnvironment = variable(env, 'KEYPLANE_CONCURRENCY');
  const concurrency =
    count(given, 'concurrency', 1) ??
    (fromEnvironment ? parseCount(fromEnvironment, 'KEYPLANE_CONCURRENCY', 1) : DEFAULT_CONCURRENCY);
  return {
    concurrency,
    proxy: proxies(env),
    ...(ca === undefined ? {} : { ca }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(profile === undefined ? {} : { profile }),
    ...(modelsKey === undefined ? {} : { modelsKey: new Secret(modelsKey.trim()) }),
  };
}

/**
 * The profile that the flag, else the environment, else the manifest names. The room is loaded on use.
 *
 * @throws Fault `usage.invalid`
 */
export async function readProfile(sources: Sources): Promise<GatewayProfile | undefined> {
  const { given, env, cwd, manifest, ignoresProfile = false } = sources;
  if (ignoresProfile) return undefined;
  const named = text(given, 'gateway-profile') ?? variable(env, 'KEYPLANE_GATEWAY_PROFILE') ?? manifest?.profile;
  if (named === undefined) return undefined;
  const { loadProfile } = await import('./files/profile-file.ts');
  return loadProfile(named, (path) => resolve(cwd, path));
}

function proxies(env: Environment): GatewaySettings['proxy'] {
  const http = eitherCase(env, 'HTTP_PROXY');
  const https = eitherCase(env, 'HTTPS_PROXY');
  const no = eitherCase(env, 'NO_PROXY');
  return { ...(http ? { http } : {}), ...(https ? { https } : {}), ...(no ? { no } : {}) };
}

function readTimeout({ given, env }: Sources): number | undefined {
  const value = text(given, 'timeout') ?? variable(env, 'KEYPLANE_TIMEOUT');
  if (value === undefined) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : tryParseDuration(value);
  if (seconds !== undefined && seconds > 0) return seconds * 1000;
  throw new Fault('usage.invalid', `Invalid timeout ${JSON.stringify(value)}: expected a duration, such as 30s or 2m.`);
}

async function readCa({ given, env, cwd }: Sources): Promise<string | undefined> {
  const path = text(given, 'ca-file') ?? variable(env, 'KEYPLANE_CA_FILE');
  if (path === undefined) return undefined;
  return await readSmallFile(resolve(cwd, path)).catch((cause: unknown) => {
    throw new Fault('usage.invalid', `The CA file ${path} cannot be read: ${fileTrouble(cause)}.`, {
      cause,
      hint: 'Set --ca-file or KEYPLANE_CA_FILE to a readable PEM file, or omit it.',
    });
  });
}
