import { Fault, PROFILE_NAMES, Secret } from '../../domain/index.ts';
import type { GatewayOptions } from '../../gateway/index.ts';
import { DEFAULT_SETTLE_SECONDS, defaultLockTimeout, type Limits } from '../../reconcile/index.ts';
import { isUnknown, type TerraformObject } from '../codec/value.ts';
import { type DiagnosticContent, DiagnosticError } from '../provider/diagnostics.ts';
import { hintOf } from '../provider/remedies.ts';
import type { Schema } from '../provider/schema.ts';
import type { PluginEnvironment } from '../serve/handshake.ts';
import {
  parseCount,
  parseLockKind,
  parseModelsKey,
  parseSeconds,
  parseWait,
  readAuthorities,
  readProfile,
  settingText,
} from './setting-values.ts';

export const PROVIDER_SCHEMA: Schema = {
  version: 0,
  description: 'Manages the API keys of an LLM gateway.',
  attributes: {
    url: {
      type: 'string',
      set: 'optional',
      description: 'Base URL of the gateway. Otherwise `KEYPLANE_URL`.',
    },
    user_id: {
      type: 'number',
      set: 'optional',
      description:
        'Numeric user ID that the access token belongs to. Otherwise `KEYPLANE_USER_ID`, or the one that the gateway reports, where it answers without one.',
    },
    access_token: {
      type: 'string',
      set: 'optional',
      isSensitive: true,
      description: 'System access token. It can be ephemeral, and is never stored. Otherwise `KEYPLANE_ACCESS_TOKEN`.',
    },
    models_key: {
      type: 'string',
      set: 'optional',
      isSensitive: true,
      description:
        'API key (`sk-…`) that may use every model, to verify and list models with. It can be ephemeral, and is never stored. Otherwise `KEYPLANE_MODELS_KEY`.',
    },
    ca_file: {
      type: 'string',
      set: 'optional',
      description:
        'PEM file of certificate authorities to trust in addition to the system’s. Otherwise `KEYPLANE_CA_FILE`.',
    },
    gateway_profile: {
      type: 'string',
      set: 'optional',
      description: `Profile of the gateway: ${PROFILE_NAMES.map((name) => `\`${name}\``).join(', ')}, or the path of a profile file. Otherwise \`KEYPLANE_GATEWAY_PROFILE\`, or recognized by its answers.`,
    },
    timeout: {
      type: 'string',
      set: 'optional',
      description: 'Time limit for one request, such as `30s`, the default. Otherwise `KEYPLANE_TIMEOUT`.',
    },
    max_wait: {
      type: 'string',
      set: 'optional',
      description:
        'Longest wait of one request for rate limits of the gateway, such as `2m`: then it fails, and the error reports how long the limit lasts. `0s` fails immediately. Default: `10m`. Otherwise `KEYPLANE_MAX_WAIT`.',
    },
    settle: {
      type: 'string',
      set: 'optional',
      description:
        'Time to wait for a create whose response was lost, before it counts as not made. `0s` disables the wait. Default: `2m`. Otherwise `KEYPLANE_SETTLE`.',
    },
    lock: {
      type: 'string',
      set: 'optional',
      description:
        'Keeps other runs on every machine from writing to the account from the first write until Terraform ends (`gateway`, the default), or not (`none`). Otherwise `KEYPLANE_LOCK`.',
    },
    lock_timeout: {
      type: 'string',
      set: 'optional',
      description:
        'Longest wait for another run to finish. `0s` fails immediately. Default: `10m`. Otherwise `KEYPLANE_LOCK_TIMEOUT`.',
    },
    max_concurrency: {
      type: 'number',
      set: 'optional',
      description: 'Maximum number of concurrent requests. Otherwise `KEYPLANE_CONCURRENCY`. Default: 8.',
    },
    max_log_pages: {
      type: 'number',
      set: 'optional',
      description: 'Maximum number of pages of the usage log to read for budgets. Default: 2000.',
    },
    assume_log_complete: {
      type: 'bool',
      set: 'optional',
      description:
        'Raises budgets as far as the usage log asks for, although nothing shows that the log has an entry for all that was spent.',
    },
    allow_unknown_groups: {
      type: 'bool',
      set: 'optional',
      description: 'Allows groups that the account does not seem to have.',
    },
    allow_unknown_models: {
      type: 'bool',
      set: 'optional',
      description:
        'Allows models that the account does not seem to have. Models are verified only if `models_key` or `KEYPLANE_MODELS_KEY` is an API key that may use every model.',
    },
  },
};

/** The environment variable for each setting that the configuration omits. */
export const VARIABLES: Readonly<Record<string, string>> = {
  url: 'KEYPLANE_URL',
  user_id: 'KEYPLANE_USER_ID',
  access_token: 'KEYPLANE_ACCESS_TOKEN',
  models_key: 'KEYPLANE_MODELS_KEY',
  ca_file: 'KEYPLANE_CA_FILE',
  gateway_profile: 'KEYPLANE_GATEWAY_PROFILE',
  timeout: 'KEYPLANE_TIMEOUT',
  max_wait: 'KEYPLANE_MAX_WAIT',
  settle: 'KEYPLANE_SETTLE',
  lock: 'KEYPLANE_LOCK',
  lock_timeout: 'KEYPLANE_LOCK_TIMEOUT',
  max_concurrency: 'KEYPLANE_CONCURRENCY',
};

/** Looks up a setting in the configuration, then in the environment. */
export const settingReader =
  (config: TerraformObject, env: PluginEnvironment) =>
  (name: string): string | undefined => {
    const value = config[name] ?? null;
    return value === null ? env[VARIABLES[name] ?? ''] || undefined : settingText(value);
  };

const NOUNS = { url: 'gateway', user_id: 'user ID', access_token: 'system access token' } as const;

export const missing = (name: keyof typeof NOUNS): DiagnosticContent => ({
  summary: `The ${NOUNS[name]} is missing`,
  detail: `Set \`${name}\` or ${VARIABLES[name]}.`,
  path: [name],
});

/** @returns seconds @throws DiagnosticError */
export function parseSettle(config: TerraformObject, env: PluginEnvironment): number {
  const text = settingReader(config, env)('settle');
  return text === undefined ? DEFAULT_SETTLE_SECONDS : parseWait(text, 'settle');
}

/**
 * Returns the longest wait for another run; undefined: none is kept out. `file`, which the command line has as well, is none:
 * Terraform locks its own state. @throws DiagnosticError
 */
export function parseLockTimeout(config: TerraformObject, env: PluginEnvironment): number | undefined {
  const read = settingReader(config, env);
  const kind = parseLockKind(read('lock') ?? 'gateway', 'lock');
  if (kind !== 'gateway') return undefined;
  const text = read('lock_timeout');
  return text === undefined ? defaultLockTimeout(parseSettle(config, env)) : parseWait(text, 'lock_timeout');
}

/** Lower case wins, as in other programs; an empty variable counts as unset. */
const eitherCase = (env: PluginEnvironment, name: string): string | undefined =>
  env[name.toLowerCase()] || env[name] || undefined;

function proxyOf(env: PluginEnvironment): NonNullable<GatewayOptions['proxy']> {
  const http = eitherCase(env, 'HTTP_PROXY');
  const https = eitherCase(env, 'HTTPS_PROXY');
  const no = eitherCase(env, 'NO_PROXY');
  return { ...(http ? { http } : {}), ...(https ? { https } : {}), ...(no ? { no } : {}) };
}

/** The guards that the configuration lifts. */
export const parseLimits = ({
  allow_unknown_groups: groups = null,
  allow_unknown_models: models = null,
}: TerraformObject): Limits => ({
  ...(groups === true ? { allowUnknownGroups: true } : {}),
  ...(models === true ? { allowUnknownModels: true } : {}),
});

/** @throws DiagnosticError */
export function parseLogPages({ max_log_pages: pages = null }: TerraformObject): number | undefined {
  return pages === null ? undefined : parseCount(settingText(pages), 'max_log_pages');
}

/** Does the configuration vouch for the usage log? */
export const trustsLog = ({ assume_log_complete: isTrusted = null }: TerraformObject): boolean => isTrusted === true;

/** Returns whether any setting is known only after an apply. */
export const hasUnknown = (config: TerraformObject): boolean => Object.values(config).some(isUnknown);

/** Reads the settings of the gateway. @throws DiagnosticError at the setting that is missing or invalid */
export async function parseSettings(
  config: TerraformObject,
  env: PluginEnvironment,
): Promise<Omit<GatewayOptions, 'userId'> & { readonly userId: number | undefined }> {
  const find = settingReader(config, env);
  const url = find('url');
  if (url === undefined) throw new DiagnosticError(missing('url'));
  const userId = find('user_id');
  const token = find('access_token');
  if (token === undefined) throw new DiagnosticError(missing('access_token'));
  const [concurrency, timeout, wait] = [find('max_concurrency'), find('timeout'), find('max_wait')];
  const [authorities, profile, modelsKey] = [find('ca_file'), find('gateway_profile'), find('models_key')];
  return {
    url,
    userId: userId === undefined ? undefined : parseCount(userId, 'user_id'),
    accessToken: new Secret(token.trim()),
    ca: authorities === undefined ? undefined : await readAuthorities(authorities, 'ca_file'),
    profile: profile === undefined ? undefined : await readProfile(profile, 'gateway_profile'),
    patienceMs: wait === undefined ? undefined : parseWait(wait, 'max_wait') * 1000,
    timeoutMs: timeout === undefined ? undefined : parseSeconds(timeout, 'timeout') * 1000,
    proxy: proxyOf(env),
    ...(modelsKey === undefined ? {} : { modelsKey: parseModelsKey(modelsKey, 'models_key') }),
    ...(concurrency === undefined ? {} : { concurrency: parseCount(concurrency, 'max_concurrency') }),
  };
}

/** Undefined for settings that only the environment has. */
function settingOf({ code, remedy }: Fault): string | undefined {
  if (code === 'credentials.other-account') return 'user_id';
  if (code === 'credentials.missing' || code === 'credentials.refused') return 'access_token';
  if (remedy === 'trust-authority') return 'ca_file';
  return remedy === 'check-proxy' ? undefined : 'url';
}

/** Turns a fault about a setting into a diagnostic at its attribute. */
export function atSetting(thrown: unknown): unknown {
  if (!(thrown instanceof Fault)) return thrown;
  const setting = settingOf(thrown);
  const detail = hintOf(thrown) ?? thrown.code;
  return new DiagnosticError({
    summary: thrown.message,
    detail,
    ...(setting === undefined ? {} : { path: [setting] }),
  });
}
