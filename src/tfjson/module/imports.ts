import { type KeyId, keyId, type Place } from '../../domain/index.ts';
import { evaluate } from '../expression/evaluate.ts';
import { tryEvaluate } from '../expression/unresolved.ts';
import { isResource } from '../expression/value.ts';
import { describe, type JsonNode, stringIn, tryFindMember } from '../json/node.ts';
import type { Block } from './block.ts';
import { asText, type Resolver, resolve } from './resolve.ts';

const BY_NAME = /^name=(.+)$/s;

/** The IDs that the provider accepts. */
const BY_ID = /^(?:id=)?([1-9]\d{0,14})$/;

/** The live key that an import is for. */
export type ImportedKey = { readonly place: Place } & (
  | { readonly id: KeyId }
  | { /** Its current name. */ readonly name: JsonNode }
);

/** An address, with or without `${…}`. */
const ADDRESS = /^(?:\$\{([\s\S]*)\}|([\s\S]*))$/;

const NAME = String.raw`[\p{ID_Start}_][\p{ID_Continue}-]*`;

/** The address of a resource, which may begin with `resource.`; the first group is its type. */
const RESOURCE = new RegExp(String.raw`^\s*(?:resource\s*\.\s*)?(${NAME})\s*\.\s*${NAME}\s*(?:\[.*\]\s*)?$`, 'su');

/** Types whose addresses are, or could be, those of keys. */
const OURS: readonly string[] = ['keyplane_api_key', 'module', 'data', 'resource'];

/** The address of the key that an import is for; `other` for another resource; undefined when it cannot be read. */
function targetOf(to: string, { scope }: Resolver): string | 'other' | undefined {
  const [, inner, plain = ''] = ADDRESS.exec(to) ?? [];
  const address = inner ?? plain;
  const [, type] = RESOURCE.exec(address) ?? [];
  if (type !== undefined && !OURS.includes(type)) return 'other';
  const short = address.replace(/^\s*resource\s*\./, '');
  const value = tryEvaluate(() => evaluate(`\${${short}}`, scope)) ?? null;
  return isResource(value) ? value.address : undefined;
}

const DONE = 'Remove the block once Terraform has imported the key.';

/** An import that is not applied would lead to a second key, under the declared name. */
function refuseTarget({ body }: Block, first: Place | undefined, { report }: Resolver): void {
  const to = tryFindMember(body, 'to')?.node;
  report.problem({
    code: 'terraform.not-supported',
    at: to?.place ?? body.place,
    message: first ? 'Two imports are for the same key.' : 'The import is not for a key of this module.',
    found: to ? describe(to) : 'no `to`',
    expected: '`to` with the address of a key, such as `keyplane_api_key.app` or `keyplane_api_key.team["x"]`, once',
    hint: DONE,
    ...(first ? { related: [{ place: first, message: 'the first import' }] } : {}),
  });
}

/** The live key; undefined, and reported, when the block does not identify one. */
function importedKey({ body }: Block, resolver: Resolver): ImportedKey | undefined {
  const written = tryFindMember(body, 'id')?.node;
  const node = written && resolve(written, resolver);
  if (written && !node) return undefined;
  const text = stringIn(node && asText(node)) ?? '';
  const [, id] = BY_ID.exec(text) ?? [];
  const [, name] = BY_NAME.exec(text) ?? [];
  if (node && id !== undefined) return { id: keyId(Number(id)), place: node.place };
  if (node && name !== undefined) {
    const { place, range } = node;
    return { name: { kind: 'string', value: name, place, range }, place };
  }
  resolver.report.problem({
    code: 'terraform.not-supported',
    at: body.place,
    message: 'The import does not identify a key.',
    found: node ? describe(node) : 'no `id`',
    expected: '`id = "name=…"` with the current name of the key, or its ID such as `id = "7"`',
    hint: DONE,
  });
  return undefined;
}

/**
 * The live keys that are imported, by the addresses of the declared keys. Refuses what may be an import of a key but
 * cannot be read as one.
 */
export function importedKeys(imports: readonly Block[], resolver: Resolver): ReadonlyMap<string, ImportedKey> {
  const keys = new Map<string, ImportedKey>();
  const firsts = new Map<string, Place>();
  for (const block of imports) {
    const target = targetOf(stringIn(tryFindMember(block.body, 'to')?.node) ?? '', resolver);
    if (target === 'other') continue;
    const first = target === undefined ? undefined : firsts.get(target);
    if (target === undefined || first) {
      refuseTarget(block, first, resolver);
      continue;
    }
    firsts.set(target, block.body.place);
    const key = importedKey(block, resolver);
    if (key) keys.set(target, key);
  }
  return keys;
}
