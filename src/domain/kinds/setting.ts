import { parseIpRule } from './ip-rule.ts';
import { canonicalJsonText } from './json.ts';
import type { SettingKind, SettingValues } from './kind.ts';

const sortedSet = (items: readonly string[] | null): readonly string[] | null => items && [...new Set(items)].sort();

/** A stored rule as the gateway understands it: `10.1.2.3/8` allows what `10.0.0.0/8` does. Other text stays as is. */
function canonicalRule(text: string): string {
  const parsed = parseIpRule(text);
  return parsed.ok ? parsed.rule : (parsed.corrected ?? text);
}

const asIs = <T>(value: T): T => value;

const NORMAL_FORMS: { readonly [K in SettingKind]: (value: SettingValues[K]) => SettingValues[K] } = {
  flag: asIs,
  text: asIs,
  textSet: sortedSet,
  ipSet: (rules) => (rules === null ? null : sortedSet(rules.map(canonicalRule))),
  instant: asIs,
  quota: asIs,
  json: (text) => text && canonicalJsonText(text),
};

/** Returns the form in which settings of live keys are compared: sets are sorted, JSON is canonical. */
export const normalSetting = <K extends SettingKind>(kind: K, value: SettingValues[K]): SettingValues[K] =>
  NORMAL_FORMS[kind](value);

/** Compares two settings in normal form. Sets compare item by item. */
export function sameSetting(a: SettingValues[SettingKind], b: SettingValues[SettingKind]): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => item === b[i]);
  return a === b;
}
