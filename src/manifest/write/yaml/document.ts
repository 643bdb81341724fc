import {
  DAY_SECONDS,
  FIELD_ROWS,
  METADATA_TEXT_NAMES,
  nameFold,
  type OwnerRule,
  type Ownership,
} from '../../../domain/index.ts';
import { quoted } from '../../../source/index.ts';
import {
  type Document,
  type DocumentKey,
  type DocumentText,
  type OmittedKey,
  omissionsOf,
  omissionText,
} from '../document.ts';
import { checkLines } from './check.ts';
import { keyFields } from './key.ts';
import { writeComment, writeFlow, writeList, writeName, writeText } from './scalar.ts';

interface WrittenKey {
  readonly key: DocumentKey;
  /** The map key: its name, or a label where that is not the name of an adopted key. */
  readonly label: string;
  readonly fields: ReadonlyMap<string, string>;
}

/**
 * Fields that belong to one key. A default would hide them, and decide what a key that is added later may do and spend.
 */
const NEVER_LIFTED: readonly string[] = [
  ...FIELD_ROWS.filter(([, { kind, unrestricted }]) => unrestricted !== undefined || kind === 'budget').map(
    ([field]) => field,
  ),
  'id',
  'name',
  'enabled',
  'smartRouting',
  'renamedFrom',
  ...METADATA_TEXT_NAMES,
  'labels',
];

/** Labels of adopted keys, such as `key-17`, avoid the names of the other keys. */
function labelsOf(keys: readonly DocumentKey[]): ReadonlyMap<DocumentKey, string> {
  const taken = new Set(keys.map(({ desired }) => nameFold(desired.name)));
  const labelOf = (id: number): string => {
    let label = `key-${id}`;
    while (taken.has(label)) label += `-${id}`;
    taken.add(label);
    return label;
  };
  return new Map(keys.map((key) => [key, key.desired.id === undefined ? key.desired.name : labelOf(key.desired.id)]));
}

function mostCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [best] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return best && best[1] > 1 ? best[0] : undefined;
}

/**
 * Returns the most common value of each field, for `defaults`. A field that some key omits has no default, because the
 * key would inherit it.
 */
function liftDefaults(keys: readonly WrittenKey[]): ReadonlyMap<string, string> {
  const lifted = new Map<string, string>();
  for (const field of keys[0]?.fields.keys() ?? []) {
    const texts = keys.flatMap(({ fields }) => fields.get(field) ?? []);
    const best = texts.length === keys.length && !NEVER_LIFTED.includes(field) ? mostCommon(texts) : undefined;
    if (best !== undefined) lifted.set(field, best);
  }
  return lifted;
}

/** Writes `field: value`, or a list of several lines below its field. */
const fieldLine = (field: string, text: string): string =>
  text.startsWith('\n') ? `${field}:${text}` : `${field}: ${text}`;

function renderDefaults(lifted: ReadonlyMap<string, string>): readonly string[] {
  if (lifted.size === 0) return [];
  const lines = [...lifted].map(([field, text]) => `  ${fieldLine(field, text.replaceAll('\n      ', '\n    '))}`);
  return ['', 'defaults:', ...lines];
}

function renderKey({ key, label, fields }: WrittenKey, lifted: ReadonlyMap<string, string>): readonly string[] {
  const own = [...fields].filter(([field, text]) => lifted.get(field) !== text);
  const omissions = key.omissions.map((omission) => `    ${writeComment(omissionText(omission))}`);
  const name = writeName(label);
  if (own.length === 0) return [`  ${name}: {}`, ...omissions];
  return [`  ${name}:`, ...omissions, ...own.map(([field, text]) => `    ${fieldLine(field, text)}`)];
}

function renderGateway({ url, userId, accessTokenFile, profile }: Document['gateway']): readonly string[] {
  const lines = [
    ...(url === undefined ? [] : [`  url: ${writeText(url)}`]),
    ...(userId === undefined ? [] : [`  userId: ${userId}`]),
    ...(accessTokenFile === undefined ? [] : [`  accessTokenFile: ${writeText(accessTokenFile)}`]),
    ...(profile === undefined ? [] : [`  profile: ${writeText(profile)}`]),
  ];
  return lines.length > 0 ? ['', 'gateway:', ...lines] : [];
}

function renderOwnership({ scope, prune, quarantine, protect }: Ownership): readonly string[] {
  const lines = [
    ...(scope ? [`  ${fieldLine('scope', writeList(scope, '    '))}`] : []),
    ...(prune === 'never' ? [] : [`  prune: ${pruneText(prune, quarantine)}`]),
    ...(protect.length > 0 ? [`  ${fieldLine('protect', writeList(protect, '    '))}`] : []),
  ];
  return lines.length > 0 ? ['', 'ownership:', ...lines] : [];
}

const pruneText = (prune: string, quarantine: number | undefined): string =>
  quarantine === undefined ? prune : `{ mode: ${prune}, quarantine: ${quarantine / DAY_SECONDS}d }`;

function renderOwners(owners: readonly OwnerRule[]): readonly string[] {
  const lines = owners.flatMap(({ owner, keys, notify }) => {
    const parts = [
      ...(keys.length > 0 ? [`keys: ${writeFlow([...keys])}`] : []),
      ...(notify.length > 0 ? [`notify: ${writeFlow([...notify])}`] : []),
    ];
    return [`  ${writeName(owner)}: ${parts.length > 0 ? `{ ${parts.join(', ')} }` : '{}'}`];
  });
  return lines.length > 0 ? ['', 'owners:', ...lines] : [];
}

function renderOmittedKeys(omissions: readonly OmittedKey[]): readonly string[] {
  if (omissions.length === 0) return [];
  const lines = omissions.map(({ id, name, reason }) => writeComment(`- key ${id}, ${quoted(name)}: ${reason}`));
  return ['', '# Live keys that are not declared here:', ...lines];
}

/** Writes a document as a manifest. The most common values become `defaults`, apart from restrictions and budgets. */
export function writeYaml(document: Document): DocumentText {
  const { gateway, ownership, owners = [], keys, checks, omittedKeys, schemaRef } = document;
  const labels = labelsOf(keys);
  const written = keys.map((key) => ({ key, label: labels.get(key) ?? '', fields: keyFields(key) }));
  const lifted = liftDefaults(written);
  const lines = [
    ...(schemaRef ? [writeComment(`yaml-language-server: $schema=${schemaRef}`)] : []),
    'version: 1',
    ...renderGateway(gateway),
    ...renderOwnership(ownership),
    ...renderOwners(owners),
    ...renderDefaults(lifted),
    '',
    keys.length === 0 ? 'keys: {}' : 'keys:',
    ...written.flatMap((each) => renderKey(each, lifted)),
    ...(checks.length > 0 ? ['', 'checks:', ...checks.flatMap(checkLines)] : []),
    ...renderOmittedKeys(omittedKeys),
  ];
  return { text: `${lines.join('\n')}\n`, omissions: omissionsOf(keys), omittedKeys };
}
