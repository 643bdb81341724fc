import { Secret } from '../../domain/index.ts';
import type { GatewayOptions } from '../../gateway/index.ts';
import { isUnknown, type TerraformObject } from '../codec/value.ts';
import { diagnosticsOf, type ProtocolDiagnostic } from '../provider/diagnostics.ts';
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
import { atSetting } from './settings.ts';

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

async function errorsOf(
  [name, rule]: [string, SettingParser],
  config: TerraformObject,
): Promise<readonly ProtocolDiagnostic[]> {
  const value = config[name] ?? null;
  if (value === null || isUnknown(value)) return [];
  try {
    await rule(settingText(value), name);
    return [];
  } catch (thrown) {
    return diagnosticsOf(atSetting(thrown));
  }
}

/** Validates the settings of a configuration, as far as they are known. Sends no request, and leaves the environment out. */
export async function settingErrors(config: TerraformObject): Promise<readonly ProtocolDiagnostic[]> {
  const found = await Promise.all(Object.entries(RULES).map((entry) => errorsOf(entry, config)));
  return found.flat();
}
