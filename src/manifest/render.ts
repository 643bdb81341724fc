import {
  type Decimal,
  type KeyId,
  looksLikeCredential,
  nameFold,
  nameProblem,
  type ObservedKey,
  type UnixSeconds,
} from '../domain/index.ts';
import { type WrittenKey, writeKey } from './render-key.ts';
import { quoted } from './tree.ts';
import { writeComment, writeName, writeText } from './yaml-write.ts';

export interface RenderInput {
  readonly gateway: { readonly url: string; readonly userId: number };
  readonly keys: readonly ObservedKey[];
  /** Units for one dollar, as the gateway says now. */
  readonly quotaPerUnit: Decimal;
  readonly now: UnixSeconds;
  /** Where editors find the JSON Schema. */
  readonly schemaRef?: string;
}

export interface SkippedKey {
  readonly id: KeyId;
  readonly name: string;
  readonly reason: string;
}

export interface RenderedManifest {
  readonly text: string;
  /** Live keys that a manifest can not declare; it leaves them alone. */
  readonly skipped: readonly SkippedKey[];
}

interface Declared {
  readonly key: ObservedKey;
  readonly written: WrittenKey;
}

/** Why a key can not be declared; undefined when it can. */
function undeclarable(key: ObservedKey, counts: ReadonlyMap<string, number>): string | undefined {
  const problem = nameProblem(key.name);
  if (problem) return `its name can not be declared: ${problem}`;
  if (looksLikeCredential(key.name)) return 'its name looks like an API key';
  return (counts.get(nameFold(key.name)) ?? 0) > 1
    ? 'another key has the same name, without regard to case'
    : undefined;
}

/** Fields that belong to one key each: a default would only hide them. */
const NEVER_LIFTED: readonly string[] = ['enabled', 'smartRouting'];

function mostCommon(texts: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [best] = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
  return best && best[1] > 1 ? best[0] : undefined;
}

/**
 * The commonest value of each field, for `defaults`. A field that some key leaves out is not lifted: there it would
 * fill in what is not known.
 */
function liftDefaults(keys: readonly Declared[]): ReadonlyMap<string, string> {
  const lifted = new Map<string, string>();
  for (const field of keys[0]?.written.fields.keys() ?? []) {
    const texts = keys.flatMap(({ written }) => written.fields.get(field) ?? []);
    const best = texts.length === keys.length && !NEVER_LIFTED.includes(field) ? mostCommon(texts) : undefined;
    if (best !== undefined) lifted.set(field, best);
  }
  return lifted;
}

/** `field: value`; a list over several lines stands below its field. */
const fieldLine = (field: string, text: string): string =>
  text.startsWith('\n') ? `${field}:${text}` : `${field}: ${text}`;

function renderDefaults(lifted: ReadonlyMap<string, string>): readonly string[] {
  if (lifted.size === 0) return [];
  const lines = [...lifted].map(([field, text]) => `  ${fieldLine(field, text.replaceAll('\n      ', '\n    '))}`);
  return ['', 'defaults:', ...lines];
}

function renderKey({ key, written }: Declared, lifted: ReadonlyMap<string, string>): readonly string[] {
  const own = [...written.fields].filter(([field, text]) => lifted.get(field) !== text);
  const remarks = written.remarks.map((remark) => `    ${writeComment(remark)}`);
  const name = writeName(key.name);
  if (own.length === 0) return [`  ${name}: {}`, ...remarks];
  return [`  ${name}:`, ...remarks, ...own.map(([field, text]) => `    ${fieldLine(field, text)}`)];
}

function renderSkipped(skipped: readonly SkippedKey[]): readonly string[] {
  if (skipped.length === 0) return [];
  const lines = skipped.map(({ id, name, reason }) => writeComment(`- key ${id}, ${quoted(name)}: ${reason}`));
  return ['', '# Live keys that are not declared here, and are left alone:', ...lines];
}

/**
 * Writes live keys down as a manifest that plans to nothing as long as they stay as they are.
 *
 * Says every field that can be said, so that later changes at the gateway show as drift; what is the same for most keys
 * stands in `defaults`. What a manifest can not say is left out, with a comment. Holds no secret and no masked key.
 */
export function renderManifest({ gateway, keys, quotaPerUnit, now, schemaRef }: RenderInput): RenderedManifest {
  const counts = new Map<string, number>();
  for (const { name } of keys) counts.set(nameFold(name), (counts.get(nameFold(name)) ?? 0) + 1);
  const skipped: SkippedKey[] = [];
  const declared: Declared[] = [];
  for (const key of [...keys].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id))) {
    const reason = undeclarable(key, counts);
    if (reason) skipped.push({ id: key.id, name: looksLikeCredential(key.name) ? '‹secret›' : key.name, reason });
    else declared.push({ key, written: writeKey(key, { quotaPerUnit, now }) });
  }
  const lifted = liftDefaults(declared);
  const lines = [
    ...(schemaRef ? [writeComment(`yaml-language-server: $schema=${schemaRef}`)] : []),
    'version: 1',
    '',
    'gateway:',
    `  url: ${writeText(gateway.url)}`,
    `  userId: ${gateway.userId}`,
    ...renderDefaults(lifted),
    '',
    declared.length === 0 ? 'keys: {}' : 'keys:',
    ...declared.flatMap((each) => renderKey(each, lifted)),
    ...renderSkipped(skipped),
  ];
  return { text: `${lines.join('\n')}\n`, skipped };
}
