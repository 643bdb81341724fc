import type { Place } from '../../domain/index.ts';
import { evaluate } from '../expression/evaluate.ts';
import { tryEvaluate } from '../expression/unresolved.ts';
import { isResource } from '../expression/value.ts';
import { describe, type JsonNode, stringIn, tryFindMember } from '../json/node.ts';
import type { Block } from './block.ts';
import { asText, type Resolver, resolve } from './resolve.ts';

const BY_NAME = /^name=(.+)$/s;

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

/** The current name of the key; undefined, and reported, when the block does not have it. */
function nameIn({ body }: Block, resolver: Resolver): JsonNode | undefined {
  const id = tryFindMember(body, 'id')?.node;
  const node = id && resolve(id, resolver);
  if (id && !node) return undefined;
  const name = BY_NAME.exec(stringIn(node && asText(node)) ?? '')?.[1];
  if (node && name !== undefined) return { kind: 'string', value: name, place: node.place, range: node.range };
  resolver.report.problem({
    code: 'terraform.not-supported',
    at: body.place,
    message: 'Keyplane does not read imports by ID: only the gateway knows which key it is.',
    found: 'an import without `name=`',
    expected: '`id = "name=…"`, with the current name of the key',
    hint: DONE,
  });
  return undefined;
}

/**
 * The current names of keys that are imported, by the addresses of the keys. Refuses what may be an import of a key but
 * cannot be read as one.
 */
export function importedNames(imports: readonly Block[], resolver: Resolver): ReadonlyMap<string, JsonNode> {
  const names = new Map<string, JsonNode>();
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
    const name = nameIn(block, resolver);
    if (name) names.set(target, name);
  }
  return names;
}
