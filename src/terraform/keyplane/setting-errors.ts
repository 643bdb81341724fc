import { Secret } from '../../domain/index.ts';
import type { GatewayOptions } from '../../gateway/index.ts';
import { isUnknown, type TerraformObject } from '../codec/value.ts';
import { type DiagnosticContent, diagnosticsOf, type ProtocolDiagnostic } from '../provider/diagnostics.ts';
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
import { atSetting, missing, settingReader, VARIABLES } from './settings.ts';

/** Valid settings for those that are not validated at the moment. */
const VALID = { url: 'https://gateway.example.com', userId: 1, accessToken: new Secret('valid') };

/** Opens a client, which connects on use, and closes it. @throws Fault for settings that it rejects */
async function tryOpen(options: Partial<GatewayOptions>): Promise<void> {
  const { openGateway } = await import('../../gateway/index.ts');
  await openGateway({ ...VALID, ...options }).close();
}

/** Throws when the text of a setting is invalid. */
type SettingParser = (text: string, name: string) => unknown;

const RULES: Readonly<Record<string, SettingParser>> = {
  url: (url) => tryOpen({ url }),
  user_id: parseCount,
  access_token: (token) => tryOpen({ accessToken: new Secret(token.trim()) }),
  models_key: parseModelsKey,
  ca_file: async (path, name) => tryOpen({ ca: await readAuthorities(path, name) }),
  gateway_profile: readProfile,
  timeout: parseSeconds,
  max_wait: parseWait,
  settle: parseWait,
  lock: parseLockKind,
  lock_timeout: parseWait,
  max_concurrency: parseCount,
  max_log_pages: parseCount,
};

type NamedParser = readonly [name: string, parse: SettingParser];

async function errorsOf([name, parse]: NamedParser, text: string): Promise<readonly ProtocolDiagnostic[]> {
  try {
    await parse(text, name);
    return [];
  } catch (thrown) {
    return diagnosticsOf(atSetting(thrown));
  }
}

/** Validates the settings of a configuration, as far as they are known. Sends no request, and leaves the environment out. */
export async function settingErrors(config: TerraformObject): Promise<readonly ProtocolDiagnostic[]> {
  const known = Object.entries(RULES).flatMap((rule) => {
    const value = config[rule[0]] ?? null;
    return value === null || isUnknown(value) ? [] : [errorsOf(rule, settingText(value))];
  });
  return (await Promise.all(known)).flat();
}

/** Only the answer of the gateway shows whether it needs a user ID. */
const NO_USER_ID: DiagnosticContent = {
  summary: 'The user ID is not set either',
  detail: `Most gateways need it: set \`user_id\` or ${VARIABLES.user_id}. Whether this one does could not be found out yet.`,
  path: ['user_id'],
};

function missingIn(find: (name: string) => string | undefined): readonly DiagnosticContent[] {
  const required = (['url', 'access_token'] as const).filter((name) => find(name) === undefined);
  const errors = required.map(missing);
  return errors.length > 0 && find('user_id') === undefined ? [...errors, NO_USER_ID] : errors;
}

const fromVariable = (name: string, error: ProtocolDiagnostic): ProtocolDiagnostic => ({
  ...error,
  detail: [error.detail, `The value is that of ${VARIABLES[name]}.`].filter(Boolean).join(' '),
});

/**
 * Returns every setting that is missing or invalid, of the configuration and of the environment. Called when one of them was: so
 * nobody corrects them one run after the other. Sends no request.
 */
export async function unusableSettings(
  config: TerraformObject,
  env: PluginEnvironment,
): Promise<readonly DiagnosticContent[]> {
  const find = settingReader(config, env);
  const invalid = Object.entries(RULES).map(async (rule) => {
    const [name] = rule;
    const text = find(name);
    const errors = text === undefined ? [] : await errorsOf(rule, text);
    return (config[name] ?? null) === null ? errors.map((error) => fromVariable(name, error)) : errors;
  });
  return [...missingIn(find), ...(await Promise.all(invalid)).flat()];
}
