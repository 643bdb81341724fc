/** Hints for fields that a map does not have: misplaced ones, and those of other tools. */

import { BUDGET_FIELDS, KEY_FIELDS } from '../../../domain/index.ts';
import { didYouMean, inBrackets, inFlow } from './form.ts';
import { tryFixField } from './line.ts';

/** A hint, or a function that makes it from the value of the field. */
type FieldHint = string | ((value: unknown) => string);

export type FieldHints = Readonly<Record<string, FieldHint>>;

/** Gives each of these names the same hint. */
const each = (names: string, hint: FieldHint): FieldHints =>
  Object.fromEntries(names.split(' ').map((name) => [name, hint]));

const TOKEN = 'The system access token comes from the environment or from `gateway.accessTokenFile`.';

const NOTE = 'Write `description: …` or a comment, which begins with `#`.';

const QUARANTINE = 'Write it below `ownership:`, as `prune: { mode: delete, quarantine: 14d }`.';
const LABELS = 'Write `labels: { team: search }`, and `owner`, `description` and `ticket` as fields of the key.';

const inQuota = (value: unknown): string => didYouMean(`budget: { quota: ${inFlow(value)} }`);

const asModels = (value: unknown): string => {
  const text = typeof value === 'string' ? value : '';
  const items = Array.isArray(value) ? value.map(String) : text.split(',').map((item) => item.trim());
  return items.every((item) => item !== '') ? didYouMean(`models: ${inBrackets(items)}`) : 'Did you mean `models`?';
};

const asEnabled = (value: unknown): string =>
  value === 1 || value === 2 ? didYouMean(`enabled: ${value === 1}`) : 'Write `enabled: true` or `enabled: false`.';

/** Fields of the gateway’s API, under its own names. */
const OF_API: FieldHints = {
  remain_quota: inQuota,
  unlimited_quota: (value) => (value === true ? didYouMean('budget: unlimited') : 'Did you mean `budget`?'),
  model_limits: asModels,
  model_limits_enabled: 'Remove this field: a key with `models` is limited to them.',
  expired_time: (value) => (value === -1 ? didYouMean('expires: never') : 'Did you mean `expires`?'),
  status: asEnabled,
};

/** Fields by which people would give the token. */
export const TOKEN_HINTS: FieldHints = each('accessToken token', TOKEN);

/** Fields of the section `ownership`. */
export const OWNERSHIP_HINTS: FieldHints = { quarantine: QUARANTINE };

/** Fields of a section, inside a key. */
const SECTION_HINTS: FieldHints = {
  ...each('scope prune protect', 'It belongs below `ownership:`, which is at the top of the file.'),
  quarantine: QUARANTINE,
  ...each('url userId accessTokenFile profile', 'It belongs below `gateway:`, which is at the top of the file.'),
};

/** Fields of a key. */
export const KEY_HINTS: FieldHints = {
  ...SECTION_HINTS,
  ...OF_API,
  ...TOKEN_HINTS,
  ...each('comment note notes', NOTE),
  ...each('tags annotations metadata', LABELS),
  ...each('ttl expiry expiration expiresAt expiresIn validUntil lifetime', 'Did you mean `expires`?'),
  ...each('ips ip ipAllowlist allowedIps allow_list ipWhitelist cidrs', 'Did you mean `allowIps`?'),
  ...each('limit amount spend spendLimit max_budget', 'Write the limit as a budget: `budget: { usd: 5, per: month }`.'),
  unlimited: didYouMean('budget: unlimited'),
  disabled: (value) =>
    typeof value === 'boolean' ? didYouMean(`enabled: ${!value}`) : 'Write `enabled: false` for a disabled key.',
};

/** Fields of `defaults`. */
export const DEFAULTS_HINTS: FieldHints = { ...KEY_HINTS, renamedFrom: 'Move the former name to its key.' };

const perWindow =
  (window: string) =>
  (value: unknown): string =>
    didYouMean(`usd: ${inFlow(value)}, per: ${window}`);

/** Fields of a budget. */
const BUDGET_HINTS: FieldHints = {
  ...each('amount limit max maximum dollars dollar total value', 'Did you mean `usd`?'),
  ...each('eur gbp chf jpy cny euro euros', 'A budget is in US dollars (`usd`) or in units of the gateway (`quota`).'),
  ...each('window period every interval reset duration cycle', 'Did you mean `per`?'),
  ...each('threshold min minimum', 'Did you mean `below`?'),
  ...each('units tokens credits', 'Did you mean `quota`?'),
  hourly: perWindow('hour'),
  daily: perWindow('day'),
  weekly: perWindow('week'),
  monthly: perWindow('month'),
  unlimited: `Remove the braces. ${didYouMean('budget: unlimited')}`,
};

const below = (section: string): FieldHint => `Indent it below \`${section}:\`.`;

const OF_SECTIONS: FieldHints = {
  ...each('scope prune protect', below('ownership')),
  quarantine: QUARANTINE,
  ...each('url userId accessTokenFile profile', below('gateway')),
  ...each(Object.keys(KEY_FIELDS).join(' '), 'Indent it below `defaults:`, or below the name of a key.'),
};

const isKey = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).some((name) => Object.hasOwn(KEY_FIELDS, name));

function tryFindHint(hints: FieldHints, name: string, value: unknown): string | undefined {
  const hint = Object.hasOwn(hints, name) ? hints[name] : undefined;
  return typeof hint === 'function' ? hint(value) : hint;
}

/** Advises on a field at the top of the file. */
export function adviseRootField(name: string, value: unknown): string | undefined {
  const hint = tryFindHint(OF_SECTIONS, name, value) ?? tryFindHint(TOKEN_HINTS, name, value);
  if (hint !== undefined) return hint;
  if (name.startsWith('x-'))
    return 'Put fields that keys share into `defaults:`, or into the first key with an anchor.';
  return (
    adviseName(name, value) ??
    (isKey(value) ? `Indent \`${name}\` below \`keys:\`, where the names of keys belong.` : undefined)
  );
}

const AT_TOP: readonly string[] = ['version', 'gateway', 'ownership', 'owners', 'defaults', 'keys'];

/** Advises on a field by its name alone. */
function adviseName(name: string, value: unknown): string | undefined {
  if (name.startsWith('//')) return 'Comments begin with `#`.';
  const fixed = value === null ? (tryFixField(name) ?? tryFixField(name.replace(/^(\w+) (?=\S)/u, '$1:'))) : undefined;
  if (fixed !== undefined) return `Write a colon and a space. ${didYouMean(fixed)}`;
  const [outer, inner] = name.split('.');
  return outer && inner && Object.hasOwn(KEY_FIELDS, outer)
    ? `Write the inner field in braces. ${didYouMean(`${outer}: { ${inner}: ${inFlow(value)} }`)}`
    : undefined;
}

/** Advises on a field that a section, a key or a part of it does not have. */
export function adviseField(name: string, value: unknown, hints: FieldHints = {}): string | undefined {
  const hint = tryFindHint(hints, name, value);
  if (hint !== undefined) return hint;
  if (AT_TOP.includes(name)) return `\`${name}\` belongs at the top of the file: do not indent it.`;
  return (
    adviseName(name, value) ??
    (isKey(value) ? `If \`${name}\` is a key, start it in the column of the other keys.` : undefined)
  );
}

/** Advises on a field inside a budget. */
export function adviseBudgetField(name: string, value: unknown): string | undefined {
  if (value === null && /^\d+(\.\d+)?$/u.test(name)) return `Name the unit. ${didYouMean(`usd: ${name}`)}`;
  if (Object.hasOwn(KEY_FIELDS, name))
    return `\`${name}\` is a field of the key: start it in the column of \`budget\`.`;
  return adviseField(name, value, BUDGET_HINTS);
}

/** Is it the name of a field that a key or a section may have inside? */
export const isFieldName = (name: string): boolean =>
  [KEY_FIELDS, BUDGET_FIELDS, OF_SECTIONS, { tiers: 0, every: 0, overlap: 0 }].some((names) =>
    Object.hasOwn(names, name),
  );

export const isBudgetPart = (name: string): boolean => Object.hasOwn(BUDGET_FIELDS, name);
