import { readFile } from 'node:fs/promises';
import { Fault, fileTrouble, Secret, tryParseDuration } from '../../domain/index.ts';
import type { GatewayOptions } from '../../gateway/index.ts';
import type { Limits } from '../../reconcile/index.ts';
import { isUnknown, type ObjectValue, type Value } from '../codec/value.ts';
import { DiagnosticError } from '../provider/diagnostics.ts';
import { hintOf } from '../provider/remedies.ts';
import type { Schema } from '../provider/schema.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What the provider can be told, and the variable that says it where the configuration does not. */
export const PROVIDER_SCHEMA: Schema = {
  version: 0,
  description: 'Manages the API keys of an LLM gateway.',
  attributes: {
    url: {
      type: 'string',
      set: 'optional',
      description: 'Base address of the gateway. Otherwise `KEYPLANE_URL`.',
    },
    user_id: {
      type: 'number',
      set: 'optional',
      description: 'Numeric user id that the access token belongs to. Otherwise `KEYPLANE_USER_ID`.',
    },
    access_token: {
      type: 'string',
      set: 'optional',
      isSensitive: true,
      description: 'System access token; may be ephemeral, and is stored nowhere. Otherwise `KEYPLANE_ACCESS_TOKEN`.',
    },
    ca_file: {
      type: 'string',
      set: 'optional',
      description: 'PEM file of certificate authorities to trust beside the system’s. Otherwise `KEYPLANE_CA_FILE`.',
    },
    timeout: {
      type: 'string',
      set: 'optional',
      description: 'Time for one request, such as `30s`, which it is unless told. Otherwise `KEYPLANE_TIMEOUT`.',
    },
    max_concurrency: {
      type: 'number',
      set: 'optional',
      description: 'Requests under way at once. Otherwise `KEYPLANE_CONCURRENCY`; 8 unless told.',
    },
    max_log_pages: {
      type: 'number',
      set: 'optional',
      description: 'Pages of the usage log that may be read for budgets; 2000 unless told.',
    },
    allow_unknown_groups: {
      type: 'bool',
      set: 'optional',
      description: 'Lets a plan write groups that the account does not seem to have.',
    },
    allow_unknown_models: {
      type: 'bool',
      set: 'optional',
      description:
        'Lets a plan write models that the account does not seem to have. They are verified where `KEYPLANE_MODELS_KEY` holds an API key that may use every model.',
    },
  },
};

const VARIABLES: Readonly<Record<string, string>> = {
  url: 'KEYPLANE_URL',
  user_id: 'KEYPLANE_USER_ID',
  access_token: 'KEYPLANE_ACCESS_TOKEN',
  ca_file: 'KEYPLANE_CA_FILE',
  timeout: 'KEYPLANE_TIMEOUT',
  max_concurrency: 'KEYPLANE_CONCURRENCY',
};

const textOf = (value: Value | undefined): string | undefined =>
  value === null || value === undefined ? undefined : String(value);

/** The configuration first, the environment where it says nothing. */
const finder =
  (config: ObjectValue, env: Environment) =>
  (name: string): string | undefined =>
    textOf(config[name]) ?? (env[VARIABLES[name] ?? ''] || undefined);

const missing = (name: string, what: string): DiagnosticError =>
  new DiagnosticError({
    summary: `No ${what} was given`,
    detail: `Set \`${name}\`, or ${VARIABLES[name]}.`,
    path: [name],
  });

function wholeNumber(text: string, name: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new DiagnosticError({
    summary: `\`${name}\` is not a whole number above 0`,
    detail: `It is ${text}.`,
    path: [name],
  });
}

async function authorities(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  return await readFile(path, 'utf8').catch((thrown: unknown) => {
    throw new DiagnosticError({ summary: `${path} can not be read: ${fileTrouble(thrown)}`, path: ['ca_file'] });
  });
}

function milliseconds(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = tryParseDuration(text);
  if (seconds !== undefined) return seconds * 1000;
  throw new DiagnosticError({
    summary: '`timeout` is not a length of time',
    detail: 'Write `30s` or `2m`.',
    path: ['timeout'],
  });
}

/** Lower case wins, as everywhere; an empty variable counts as unset. */
const eitherCase = (env: Environment, name: string): string | undefined =>
  env[name.toLowerCase()] || env[name] || undefined;

function proxyOf(env: Environment): NonNullable<GatewayOptions['proxy']> {
  const http = eitherCase(env, 'HTTP_PROXY');
  const https = eitherCase(env, 'HTTPS_PROXY');
  const no = eitherCase(env, 'NO_PROXY');
  return { ...(http ? { http } : {}), ...(https ? { https } : {}), ...(no ? { no } : {}) };
}

/** What the environment alone says: people keep it out of configurations. */
const ambient = (env: Environment): Pick<GatewayOptions, 'proxy' | 'modelsKey'> => ({
  proxy: proxyOf(env),
  ...(env.KEYPLANE_MODELS_KEY ? { modelsKey: new Secret(env.KEYPLANE_MODELS_KEY.trim()) } : {}),
});

/** What a plan may do beyond what is safe by default. */
export const limitsFrom = ({
  allow_unknown_groups: groups = null,
  allow_unknown_models: models = null,
}: ObjectValue): Limits => ({
  ...(groups === true ? { allowUnknownGroups: true } : {}),
  ...(models === true ? { allowUnknownModels: true } : {}),
});

/** Pages of the usage log that may be read for budgets. @throws DiagnosticError */
export function logPagesFrom({ max_log_pages: pages = null }: ObjectValue): number | undefined {
  return pages === null ? undefined : wholeNumber(String(pages), 'max_log_pages');
}

/** Is anything of it known only after an apply? */
export const isOpen = (config: ObjectValue): boolean => Object.values(config).some(isUnknown);

/** Everything that opening the gateway needs. @throws DiagnosticError at the field that is missing or wrong */
export async function settingsFrom(config: ObjectValue, env: Environment): Promise<GatewayOptions> {
  const find = finder(config, env);
  const url = find('url');
  if (url === undefined) throw missing('url', 'gateway');
  const userId = find('user_id');
  if (userId === undefined) throw missing('user_id', 'user id');
  const token = find('access_token');
  if (token === undefined) throw missing('access_token', 'system access token');
  const concurrency = find('max_concurrency');
  return {
    url,
    userId: wholeNumber(userId, 'user_id'),
    accessToken: new Secret(token.trim()),
    ca: await authorities(find('ca_file')),
    timeoutMs: milliseconds(find('timeout')),
    ...ambient(env),
    ...(concurrency === undefined ? {} : { concurrency: wholeNumber(concurrency, 'max_concurrency') }),
  };
}

/** The field that a fault concerns; undefined when only the environment sets it. */
function fieldOf({ code, remedy }: Fault): string | undefined {
  if (code === 'credentials.missing' || code === 'credentials.refused') return 'access_token';
  if (remedy === 'trust-authority') return 'ca_file';
  return remedy === 'check-proxy' ? undefined : 'url';
}

/** A Fault about one of the settings, at the field that it is about. */
export function atField(thrown: unknown): unknown {
  if (!(thrown instanceof Fault)) return thrown;
  const field = fieldOf(thrown);
  const detail = hintOf(thrown) ?? thrown.code;
  return new DiagnosticError({ summary: thrown.message, detail, ...(field === undefined ? {} : { path: [field] }) });
}
