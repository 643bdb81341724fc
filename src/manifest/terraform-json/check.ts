import { ASSERTIONS, looksLikeCredential, tryFindTerraformAssertion } from '../../domain/index.ts';
import { reportUnknown } from '../../source/index.ts';
import { MODULE_NAMES, OWN_CHECK_FIELDS, RESERVED_CHECK_NAMES } from '../schema/check.ts';
import { type Entry, type Fields, found, type Tree, tryFindEntry } from '../yaml/tree.ts';
import { entriesOf, ownRemark } from './block.ts';
import type { Instance } from './instance.ts';
import { tryParseJson } from './json-text.ts';
import { asText, fieldsAt, isNothing, scalarAt, withoutNothing } from './nodes.ts';
import { attempt, placed, reportSecret, resolve, type Site, withoutSecret } from './resolve.ts';
import { valueOfTree } from './tree-value.ts';
import { typed } from './typed.ts';
import { isUnknown } from './value.ts';

/** A check as a manifest defines it, and which key it is of. */
export interface TranslatedCheck {
  readonly entry: Entry;
  /** Did a person or a construct give it this name? Else it is the name of its block. */
  readonly isNamed: boolean;
  /** The address of the key; undefined for one that is not declared here. */
  readonly keyAddress: string | undefined;
}

function reportNoJson(name: string, node: Tree, { report }: Site): Tree {
  report.problem({
    code: 'manifest.invalid-value',
    at: node.place,
    message: `\`${name}\` is no JSON object.`,
    found: found(node),
    expected: 'a text of a JSON object',
    hint: '`jsonencode` (in the CDK `Fn.jsonencode`) writes one.',
  });
  return { ...node, broken: true };
}

function jsonObject(name: string, node: Tree, site: Site): Tree {
  const tree = node.kind === 'scalar' ? tryParseJson(String(node.value), node.place) : undefined;
  if (tree?.kind !== 'map') return reportNoJson(name, node, site);
  // Behind an escape of its own, a secret shows only now.
  return withoutSecret({ ...tree, range: node.range }, node.place, site);
}

/** Fields of a request that would be taken for fields of the check itself. */
function refuseOwnFields(request: Fields, { report }: Site): readonly Entry[] {
  const [own, free] = [true, false].map((isOwn) =>
    request.entries.filter(({ name }) => OWN_CHECK_FIELDS.includes(name) === isOwn),
  );
  for (const { name, at } of own ?? []) {
    report.problem({
      code: 'terraform.not-supported',
      at,
      message: `A request with a field \`${name}\` can not be written in a manifest, where this is a field of the check.`,
      found: `\`${name}\``,
      expected: 'a request without it',
      hint: 'Say it with the attribute of the check, or leave this check to Terraform.',
    });
  }
  return free ?? [];
}

function requestEntries(node: Tree, site: Site): readonly Entry[] {
  const request = jsonObject('request', node, site);
  return request.kind === 'map' ? refuseOwnFields(request, site) : [];
}

function expectTree(node: Tree, site: Site): Tree {
  const given = withoutNothing(node);
  if (given.kind !== 'map' || given.broken) return given;
  const entries = given.entries.map(({ name, at, node: value }): Entry => {
    const known = tryFindTerraformAssertion(name);
    const isJson = known !== undefined && ASSERTIONS[known].kind === 'jsonSchema';
    const made = isJson && !value.broken ? jsonObject(name, value, site) : value;
    return { name: known ?? name, at, node: made };
  });
  return { ...given, entries, broken: entries.some((entry) => entry.node.broken) };
}

/** Attributes that become one field of the definition each. */
const FIELDS: Readonly<Record<string, (node: Tree, site: Site) => Tree>> = {
  module: asText,
  model: asText,
  family: asText,
  timeout: asText,
  retries: (node) => node,
  expect: expectTree,
};

const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  max_cost_usd: 'What a run of checks may cost is said with `--max-cost`; `expect` has what one may have cost.',
  ledger: 'Keyplane keeps account of paid tasks by itself.',
};

const META: readonly string[] = ['count', 'depends_on', 'for_each', 'lifecycle', 'provider', 'key_id'];

function tellWithoutEffect({ name, at }: Entry, site: Site): void {
  site.report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at: placed(at, site),
    message: `\`${name}\` of a check has no effect here.`,
    found: `\`${name}\``,
    expected: 'a check without it',
    hint: WITHOUT_EFFECT[name] ?? '',
  });
}

function fieldsOf(entry: Entry, site: Site): readonly Entry[] {
  const { name, at } = entry;
  if (META.includes(name) || isNothing(entry.node)) return [];
  if (Object.hasOwn(WITHOUT_EFFECT, name)) tellWithoutEffect(entry, site);
  const form = Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;
  const isKnown = form || name === 'request' || name === 'costly';
  if (!isKnown) {
    const known = [...Object.keys(FIELDS), 'key_id', 'request', 'costly', ...Object.keys(WITHOUT_EFFECT)];
    if (!known.includes(name)) reportUnknown(site.report, { name, at: placed(at, site) }, { known });
    return [];
  }
  const node = resolve(entry.node, site);
  if (isNothing(node)) return [];
  if (form) return [{ name, at: placed(at, site), node: node.broken ? node : form(node, site) }];
  if (name === 'request') return node.broken ? [] : requestEntries(node, site);
  const flag = typed(node, { what: name, type: 'flag' }, site);
  const isCostly = flag.kind === 'scalar' && flag.value === true;
  return isCostly ? [{ name: 'schedule', at: placed(at, site), node: scalarAt(node, 'costly') }] : [];
}

const LONGEST_NAME = 50;

/** The end of a long name tells most; what a selection could take for something else gets a word more. */
function nameFor({ declared, address }: Instance, fields: readonly Entry[]): string {
  const suffix = address.slice(declared.address.length).replace(/[[\]"]/g, '');
  const name = suffix === '' ? declared.name : `${declared.name}-${suffix}`;
  const module = fields.find((field) => field.name === 'module')?.node;
  const isOwnModule = module?.kind === 'scalar' && module.value === name;
  const isTaken = RESERVED_CHECK_NAMES.includes(name) || (MODULE_NAMES.includes(name) && !isOwnModule);
  return isTaken ? `${name}-check` : name;
}

/** Before anything is cut off: what is left of a secret is a secret. */
function cut(name: string, at: Tree['place'], { report }: Site): string {
  if (looksLikeCredential(name)) reportSecret('What looks like an API key', at, report);
  return [...name].slice(-LONGEST_NAME).join('').trim();
}

/** Which key it is of: a reference to the id of one, or a number that says nothing here. */
function keyOf({ declared, address }: Instance, site: Site): string | undefined {
  const entry = tryFindEntry(declared.body, 'key_id');
  const at = placed(entry?.node.place ?? declared.at, site);
  const value = entry && attempt(() => ({ value: valueOfTree(entry.node, site.scope) }), at, site)?.value;
  if (value !== undefined && value !== null && isUnknown(value) && value.idOf !== undefined) return value.idOf;
  // What can not be worked out has been told already.
  if (entry && value === undefined) return undefined;
  site.report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at,
    message: `The check \`${address}\` is left to Terraform: its key is not declared here.`,
    found: entry ? found(entry.node) : 'no `key_id`',
    expected: '`${keyplane_api_key.NAME.id}`',
    hint: '`keyplane check` proves keys that a manifest declares.',
  });
  return undefined;
}

/** A `data.keyplane_check` as a check of a manifest; undefined when it is of no key that is declared here. */
export function translateCheck(instance: Instance, site: Site): TranslatedCheck | undefined {
  const keyAddress = keyOf(instance, site);
  if (keyAddress === undefined) return undefined;
  const { body, at } = instance.declared;
  const fields = entriesOf(body).flatMap((entry) => fieldsOf(entry, site));
  const remark = ownRemark(body, 'name');
  const named = remark && resolve(remark, site);
  const name = named?.kind === 'scalar' && typeof named.value === 'string' ? named.value : undefined;
  const place = placed(at, site);
  const own = name ?? cut(nameFor(instance, fields), place, site);
  const entry = { name: own, at: named?.place ?? place, node: fieldsAt(place, fields) };
  return { entry, isNamed: name !== undefined, keyAddress };
}
