import {
  Fault,
  fileTrouble,
  PROFILE_NAMES,
  Secret,
  tryParseDuration,
  tryParseProfileName,
} from '../../domain/index.ts';
import type { GatewayProfile } from '../../gateway/index.ts';
import { MOST_BYTES, readBoundedText } from '../../source/index.ts';
import { ExactNumber, type TerraformValue } from '../codec/value.ts';
import { DiagnosticError } from '../provider/diagnostics.ts';

/** The values of settings, from the texts of a configuration or of the environment. Each throws a DiagnosticError at its setting. */

/** @param value neither null nor unknown */
export const settingText = (value: TerraformValue): string =>
  value instanceof ExactNumber ? value.text : String(value);

export function parseCount(text: string, name: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new DiagnosticError({
    summary: `\`${name}\` must be a whole number above 0`,
    detail: `Got ${text}.`,
    path: [name],
  });
}

/** Timers of a longer duration would end immediately. */
const MOST_SECONDS = 24 * 3600;

export function parseSeconds(text: string, name: string): number {
  const parsed = tryParseDuration(text);
  if (parsed !== undefined && parsed <= MOST_SECONDS) return parsed;
  throw new DiagnosticError({
    summary: `\`${name}\` is not a duration${parsed === undefined ? '' : ' of at most a day'}`,
    detail: 'Expected a duration such as `30s` or `2m`, at most `24h`.',
    path: [name],
  });
}

/** Seconds, of which there may be none. */
export const parseWait = (text: string, name: string): number => (text === '0s' ? 0 : parseSeconds(text, name));

const LOCK_KINDS = ['gateway', 'file', 'none'] as const;

export function parseLockKind(text: string, name: string): (typeof LOCK_KINDS)[number] {
  const kind = LOCK_KINDS.find((each) => each === text);
  if (kind) return kind;
  throw new DiagnosticError({
    summary: `\`${name}\` must be one of ${LOCK_KINDS.join(', ')}`,
    detail: `Got ${text}.`,
    path: [name],
  });
}

/** An HTTP header carries it. The error does not quote it. */
export function parseModelsKey(text: string, name: string): Secret {
  const key = text.trim();
  if (/^[\x21-\x7e]+$/.test(key)) return new Secret(key);
  throw new DiagnosticError({
    summary: `The API key for models ${key === '' ? 'is empty' : 'contains invalid characters'}`,
    detail: `Set \`${name}\` to the credential of an API key, or omit it.`,
    path: [name],
  });
}

/** Reads the text of a PEM file. */
export async function readAuthorities(path: string, name: string): Promise<string> {
  return await readBoundedText(path, MOST_BYTES.credential).catch((thrown: unknown) => {
    throw new DiagnosticError({ summary: `Cannot read ${path}: ${fileTrouble(thrown)}`, path: [name] });
  });
}

/** The room is loaded on use: a process that only serves the schema opens no connection. */
export async function readProfile(named: string, setting: string): Promise<GatewayProfile> {
  const { parseGatewayProfile, SHIPPED_PROFILES } = await import('../../gateway/index.ts');
  const name = tryParseProfileName(named);
  if (name !== undefined) return SHIPPED_PROFILES[name];
  try {
    return parseGatewayProfile(await readBoundedText(named, MOST_BYTES.credential), named);
  } catch (thrown) {
    const summary = thrown instanceof Fault ? thrown.message : `Cannot read ${named}: ${fileTrouble(thrown)}`;
    throw new DiagnosticError({
      summary,
      detail: `Expected ${PROFILE_NAMES.join(', ')}, or the path of a profile file.`,
      path: [setting],
    });
  }
}
