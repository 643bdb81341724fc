import { TERRAFORM_NAMES } from '../../domain/index.ts';
import { reportUnknown } from '../../source/index.ts';
import { type Entry, found, type Tree, tryFindEntry } from '../yaml/tree.ts';
import { entriesOf, ownRemark } from './block.ts';
import { budgetTree } from './budget.ts';
import type { Instance } from './instance.ts';
import { tryParseJson } from './json-text.ts';
import {
  COMPUTED_ATTRIBUTES,
  isKeyAttribute,
  KEY_ATTRIBUTES,
  type KeyAttribute,
  META_ARGUMENTS,
} from './key-attributes.ts';
import { asText, fieldsAt, isNothing, listAt, scalarAt } from './nodes.ts';
import { placed, resolve, type Site, withoutSecret } from './resolve.ts';
import { refuseType, typed } from './typed.ts';

const MANIFEST_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries(TERRAFORM_NAMES).map(([manifest, terraform]) => [terraform, manifest]),
);

/** A number of the CDK that stands for a value and was put into a text, where it stands for nothing any more. */
const NUMBER_TOKEN = /-?\d\.\d{6,}e\+\d{2,}/;

function reportToken(node: Tree, { report }: Site): void {
  report.problem({
    code: 'terraform.unresolved',
    at: node.place,
    message: 'The text holds a number that the CDK uses as a token: it was made a text before it was known.',
    found: found(node),
    expected: 'the token as a text',
    hint: 'Write `Token.asString(…)` around the number where the construct puts it into a text.',
  });
}

/** A list of one word that says that nothing is restricted is that word in a manifest. */
function listTree(node: Tree, { what, word }: { what: string; word: string }, site: Site): Tree {
  if (node.broken) return node;
  if (node.kind !== 'list') return refuseType(node, { what, expected: `a list: of texts, or \`["${word}"]\`` }, site);
  const items = node.items.map(asText);
  const all = items.find((item) => item.kind === 'scalar' && item.value === word);
  if (!all) return { ...node, items };
  if (items.length === 1) return scalarAt(all, word);
  site.report.problem({
    code: 'manifest.invalid-value',
    at: all.place,
    message: `"${word}" stands alone.`,
    found: found(node),
    expected: `\`["${word}"]\`, or a list without it`,
    hint: 'Beside it nothing else means anything.',
  });
  return { ...node, broken: true };
}

function tiersTree(node: Tree, site: Site): Tree {
  const what = TERRAFORM_NAMES.smartRouting;
  if (node.kind !== 'scalar' || typeof node.value !== 'string') {
    return refuseType(node, { what, expected: 'a text of JSON, which `jsonencode` writes' }, site);
  }
  const tiers = tryParseJson(node.value, node.place);
  if (tiers) {
    // Behind an escape of its own, a secret shows only now.
    const inner = withoutSecret({ ...tiers, range: node.range }, node.place, site);
    return fieldsAt(node.place, [{ name: 'tiers', at: node.place, node: inner }]);
  }
  site.report.problem({
    code: 'manifest.invalid-value',
    at: node.place,
    message: '`smart_routing_tiers` is no JSON.',
    found: found(node),
    expected: 'a text of JSON',
    hint: '`jsonencode` (in the CDK `Fn.jsonencode`) writes one.',
  });
  return { ...node, broken: true };
}

const FORMS: Readonly<Record<string, (node: Tree, site: Site) => Tree>> = {
  [TERRAFORM_NAMES.models]: (node, site) => listTree(node, { what: TERRAFORM_NAMES.models, word: 'any' }, site),
  [TERRAFORM_NAMES.allowIps]: (node, site) =>
    listTree(node, { what: TERRAFORM_NAMES.allowIps, word: 'anywhere' }, site),
  [TERRAFORM_NAMES.budget]: budgetTree,
  [TERRAFORM_NAMES.smartRouting]: tiersTree,
};

/** Forms of a manifest for those that have one of their own; a simple value for the others. */
const formOf =
  (name: KeyAttribute): ((node: Tree, site: Site) => Tree) =>
  (node, site) => {
    const type = KEY_ATTRIBUTES[name] === 'flag' ? 'flag' : 'text';
    return FORMS[name]?.(node, site) ?? typed(node, { what: name, type }, site);
  };

function reportForeign(entry: Entry, site: Site): void {
  const isComputed = COMPUTED_ATTRIBUTES.includes(entry.name);
  reportUnknown(
    site.report,
    { name: entry.name, at: placed(entry.at, site) },
    {
      known: Object.keys(KEY_ATTRIBUTES),
      ...(isComputed ? { hint: 'The gateway alone decides about it: take it out.' } : {}),
    },
  );
}

/** One attribute as a field of a manifest; undefined where it says nothing. */
function fieldOf(entry: Entry, site: Site): Entry | undefined {
  if (entry.name === 'name' || META_ARGUMENTS.includes(entry.name)) return undefined;
  if (!isKeyAttribute(entry.name)) {
    reportForeign(entry, site);
    return undefined;
  }
  const node = resolve(entry.node, site);
  if (isNothing(node)) return undefined;
  return {
    name: MANIFEST_NAMES.get(entry.name) ?? entry.name,
    at: placed(entry.at, site),
    node: node.broken ? node : formOf(entry.name)(node, site),
  };
}

/** The name; undefined, and reported, when the block does not say it. */
function nameOf(instance: Instance, site: Site): Tree | undefined {
  const { body, at } = instance.declared;
  const entry = tryFindEntry(body, 'name');
  const node = entry && asText(resolve(entry.node, site));
  if (node?.broken) return undefined;
  if (node?.kind === 'scalar' && typeof node.value === 'string') {
    if (!NUMBER_TOKEN.test(node.value)) return node;
    reportToken(node, site);
    return undefined;
  }
  report(node ?? body, { at: placed(node?.place ?? at, site), site });
  return undefined;
}

function report(node: Tree, { at, site }: { at: Tree['place']; site: Site }): void {
  site.report.problem({
    code: 'manifest.missing-field',
    at,
    message: 'The key has no `name`.',
    found: found(node),
    expected: '`name`: a text of 1 to 50 characters',
    hint: 'Every key has a name of its own.',
  });
}

export interface Beside {
  /** The checks that prove it. */
  readonly checks: readonly string[];
  /** The name that an import gives it. */
  readonly importedAs?: Tree;
}

const saysSame = (a: Tree, b: Tree): boolean => a.kind === 'scalar' && b.kind === 'scalar' && a.value === b.value;

/** The name that the key has had so far. An import and a construct that say two different ones are refused. */
function formerName(name: Tree, { instance, importedAs }: Former, site: Site): Tree | undefined {
  const remark = ownRemark(instance.declared.body, 'renamedFrom');
  const former = remark && resolve(remark, site);
  if (former && importedAs && !saysSame(former, importedAs) && !saysSame(name, importedAs)) {
    site.report.problem({
      code: 'terraform.not-supported',
      at: former.place,
      message: 'The construct and an import give the key two former names.',
      found: found(former),
      expected: 'one of them',
      hint: 'Keep the one that the key has on the gateway.',
      related: [{ place: importedAs.place, message: 'the import' }],
    });
  }
  const from = former ?? importedAs;
  return from && saysSame(from, name) ? undefined : from;
}

interface Former {
  readonly instance: Instance;
  readonly importedAs: Tree | undefined;
}

/** A key as a manifest declares it; undefined when it can not be told which key it is. */
export function keyEntry(instance: Instance, { checks, importedAs }: Beside, site: Site): Entry | undefined {
  const { body } = instance.declared;
  const name = nameOf(instance, site);
  const fields = entriesOf(body).flatMap((entry) => fieldOf(entry, site) ?? []);
  if (name?.kind !== 'scalar') return undefined;
  const at = name.place;
  const renamedFrom = formerName(name, { instance, importedAs }, site);
  if (renamedFrom) fields.push({ name: 'renamedFrom', at: renamedFrom.place, node: renamedFrom });
  if (checks.length > 0) {
    fields.push({
      name: 'checks',
      at,
      node: listAt(
        at,
        checks.map((check) => scalarAt({ place: at, range: name.range }, check)),
      ),
    });
  }
  return { name: String(name.value), at, node: fieldsAt(placed(instance.declared.at, site), fields) };
}
