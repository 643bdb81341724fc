import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { BASE_ADDRESS, Fault, fileTrouble, Secret, tryParseDuration } from '../../domain/index.ts';
import type { GatewaySection } from '../../manifest/index.ts';
import { count, type GivenFlags, parseCount, text } from '../program/option.ts';
import type { Environment } from './io.ts';

/** The process's environment: this file is the only one that reads it. */
export const processEnvironment = (): Environment => process.env;

/** Every variable that Keyplane reads, with what it is for: the documentation is made from this table. */
export const VARIABLES = {
  KEYPLANE_URL: 'Base URL of the gateway.',
  KEYPLANE_USER_ID: 'Numeric ID of the user that the access token belongs to.',
  KEYPLANE_ACCESS_TOKEN: 'System access token.',
  KEYPLANE_ACCESS_TOKEN_FILE: 'File that contains the system access token. Give it mode 0600.',
  KEYPLANE_CA_FILE: 'PEM file of certificate authorities to trust in addition to the system’s.',
  KEYPLANE_TIMEOUT: 'Time limit for one request: `30s`, `2m`, or a number of seconds.',
  KEYPLANE_CONCURRENCY: 'Maximum number of concurrent requests.',
  KEYPLANE_MODELS_KEY: 'An API key (`sk-…`) with which Keyplane lists the account’s models.',
  HTTP_PROXY: 'Proxy for http:// gateways; the lower-case name works too.',
  HTTPS_PROXY: 'Proxy for https:// gateways; the lower-case name works too.',
  NO_PROXY: 'Hosts to reach without a proxy; the lower-case name works too.',
  NO_COLOR: 'Disables colours when set to any value.',
  FORCE_COLOR: 'Enables colours without a terminal when set to any value except `0`.',
  CI: 'Shows progress as plain lines when set.',
  XDG_STATE_HOME: 'Folder for the lock of a running apply (default: `~/.local/state`).',
} as const satisfies Record<string, string>;

export type Variable = keyof typeof VARIABLES;

/** An empty variable counts as unset. */
export const variable = (env: Environment, name: Variable): string | undefined => env[name] || undefined;

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
}

/** The source of the access token, before it is read. */
export type TokenSource =
  | { readonly kind: 'file'; readonly path: string; readonly from: string }
  | { readonly kind: 'variable'; readonly token: Secret }
  | { readonly kind: 'none' };

/** The address of a gateway, its credentials and the settings of the connection. */
export interface GatewaySettings {
  readonly url: string;
  readonly userId: number;
  readonly accessToken: Secret;
  readonly ca?: string;
  readonly proxy: { readonly http?: string; readonly https?: string; readonly no?: string };
  readonly timeoutMs?: number;
  readonly concurrency: number;
  readonly modelsKey?: Secret;
}

const DEFAULT_CONCURRENCY = 8;

/** Flags win over the manifest, the manifest over the environment. */
export function findUrl({ given, env, manifest }: Sources): string | undefined {
  return text(given, 'url') ?? manifest?.url ?? variable(env, 'KEYPLANE_URL');
}

/** @throws Fault `usage.invalid` */
export function findUserId({ given, env, manifest }: Sources): number | undefined {
  const flag = count(given, 'user-id', 1);
  if (flag !== undefined) return flag;
  if (manifest?.userId !== undefined) return manifest.userId;
  const value = variable(env, 'KEYPLANE_USER_ID');
  return value === undefined ? undefined : parseCount(value, 'KEYPLANE_USER_ID', 1);
}

/** The token is never a flag, because every process of the machine can read command lines. */
export function findTokenSource({ env, cwd, manifest }: Sources): TokenSource {
  if (manifest?.accessTokenFile !== undefined) {
    return { kind: 'file', path: manifest.accessTokenFile, from: 'gateway.accessTokenFile' };
  }
  const token = variable(env, 'KEYPLANE_ACCESS_TOKEN');
  if (token !== undefined) return { kind: 'variable', token: new Secret(token.trim()) };
  const path = variable(env, 'KEYPLANE_ACCESS_TOKEN_FILE');
  if (path !== undefined) return { kind: 'file', path: resolve(cwd, path), from: 'KEYPLANE_ACCESS_TOKEN_FILE' };
  return { kind: 'none' };
}

const TOKEN_HINT =
  'Set KEYPLANE_ACCESS_TOKEN, or KEYPLANE_ACCESS_TOKEN_FILE, or gateway.accessTokenFile in the manifest. ' +
  'Create the token in the gateway’s account settings (API access), which also show the user ID.';

/** @throws Fault `credentials.missing` */
export async function readToken(source: TokenSource): Promise<Secret> {
  if (source.kind === 'variable') return source.token;
  if (source.kind === 'none') {
    throw new Fault('credentials.missing', 'No system access token was given.', { hint: TOKEN_HINT });
  }
  const found = await readFile(source.path, 'utf8').catch((cause: unknown) => {
    throw new Fault(
      'credentials.missing',
      `The access token file ${source.path} (${source.from}) cannot be read: ${fileTrouble(cause)}.`,
      { hint: TOKEN_HINT, cause },
    );
  });
  if (found.trim() !== '') return new Secret(found.trim());
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
 * @throws Fault `credentials.missing`, `usage.invalid`, `file.unwritable`
 */
export async function resolveSettings(sources: Sources): Promise<GatewaySettings> {
  const url = findUrl(sources);
  if (url === undefined) {
    throw new Fault('usage.invalid', 'No gateway was given.', {
      hint: 'Pass --url, set gateway.url in the manifest, or set KEYPLANE_URL.',
    });
  }
  checkUrl(url);
  const userId = findUserId(sources);
  if (userId === undefined) {
    throw new Fault('credentials.missing', 'No user ID was given.', {
      hint: 'Pass --user-id, set gateway.userId in the manifest, or set KEYPLANE_USER_ID. The gateway’s account settings show it.',
    });
  }
  const accessToken = await readToken(findTokenSource(sources));
  return { url, userId, accessToken, ...(await connectionSettings(sources)) };
}

type ConnectionSettings = Omit<GatewaySettings, 'url' | 'userId' | 'accessToken'>;

/** The settings that matter to every connection, also one without credentials. */
export async function connectionSettings(sources: Sources): Promise<ConnectionSettings> {
  const { given, env } = sources;
  const ca = await readCa(sources);
  const timeoutMs = readTimeout(sources);
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
    ...(modelsKey === undefined ? {} : { modelsKey: new Secret(modelsKey.trim()) }),
  };
}

function troubleOf(text: string, url: URL | undefined): string {
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'is not an http or https URL';
  if (url.username || url.password) return 'contains a user name or a password';
  if (/[?#]/.test(text)) return 'contains a query or a fragment';
  return /\s/.test(text) ? 'contains a space or a line break' : 'is not an http or https URL';
}

/**
 * The address, parsed: by the rule of the manifest, because it is written into files.
 *
 * @throws Fault `usage.invalid` when it is not the address of a gateway. The text is not repeated: it may be a secret that was
 * put into the wrong place.
 */
export function checkUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && BASE_ADDRESS.test(text)) return url;
  throw new Fault('usage.invalid', `The gateway URL ${troubleOf(text, url)}.`, {
    hint: 'Use the base URL, such as https://gateway.example.com',
  });
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
  return await readFile(resolve(cwd, path), 'utf8').catch((cause: unknown) => {
    throw new Fault('file.unwritable', `The CA file ${path} cannot be read: ${fileTrouble(cause)}.`, {
      cause,
      hint: 'Set --ca-file or KEYPLANE_CA_FILE to a readable PEM file, or omit it.',
    });
  });
}
