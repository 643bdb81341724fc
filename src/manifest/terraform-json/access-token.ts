import { type Tree, tryFindEntry } from '../yaml/tree.ts';
import { type Expression, referencesIn, type Step } from './expression.ts';
import type { Module } from './module.ts';
import { isNothing } from './nodes.ts';
import { parseTemplate } from './parse.ts';
import { Refused } from './refused.ts';
import { placed, placeName, reportSecret, type Site } from './resolve.ts';
import { valueOfTree } from './tree-value.ts';
import { isNumber, tryWhole } from './value.ts';

/** What access tokens of a module are made of. */
export interface TokenParts {
  /** Where it stands, by `placeName`: no text from there is ever quoted. */
  readonly places: ReadonlySet<string>;
  /** `local.t`, `var.t`: what holds a token in the open, and may be used for nothing else. */
  readonly sealed: ReadonlySet<string>;
}

interface Walk {
  readonly module: Module;
  readonly site: Site;
  readonly seen: Set<Tree>;
  readonly names: Set<string>;
  readonly places: Set<string>;
  /** Does a text in it depend on nothing else? Then it is the token, or a part of it. */
  hasLiteral: boolean;
}

const textOf = (node: Tree | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;

function tryParse(text: string): Expression | undefined {
  try {
    return parseTemplate(text);
  } catch (thrown) {
    if (thrown instanceof Refused) return undefined;
    throw thrown;
  }
}

function stepKey(step: Step | undefined): string | number | undefined {
  if (step === undefined || 'name' in step) return step?.name;
  const key = step.index.kind === 'literal' ? step.index.value : undefined;
  if (typeof key === 'string') return key;
  return key !== undefined && isNumber(key) ? Number(tryWhole(key)) : undefined;
}

/** As far into the node as the steps lead. */
function inner(node: Tree, [step, ...others]: readonly Step[]): Tree {
  const key = stepKey(step);
  if (key === undefined) return node;
  const next = node.kind === 'list' ? node.items[Number(key)] : tryFindEntry(node, String(key))?.node;
  return next ? inner(next, others) : node;
}

/** The local or the default that is referred to. */
function referredBy(root: string, name: string, { module }: Walk): Tree | undefined {
  if (root === 'local') return module.locals.get(name)?.node;
  const variable = root === 'var' ? module.variables.get(name) : undefined;
  return variable && tryFindEntry(variable.body, 'default')?.node;
}

/** When it can not be read, whatever is named in it counts. */
const NAMED = /\b(local|var)\.([\p{ID_Start}_][\p{ID_Continue}-]*)/gu;

const namedIn = (text: string): readonly (readonly [string, string, readonly Step[]])[] =>
  [...text.matchAll(NAMED)].map(([, root = '', name = '']) => [root, name, []] as const);

function hideNode(node: Tree, { site, places }: Walk): void {
  places.add(placeName(node.place));
  site.report.hide(node.place.file, node.range);
}

function visitText(node: Tree, text: string, walk: Walk): void {
  hideNode(node, walk);
  const expression = tryParse(text);
  const references = expression && referencesIn(expression);
  // What can not be read may be the credential itself.
  if (text !== '' && (!references || references.length === 0)) walk.hasLiteral = true;
  const named = references
    ? references.map(({ root, steps: [first, ...steps] }) => [root, String(stepKey(first) ?? ''), steps] as const)
    : namedIn(text);
  for (const [root, name, steps] of named) {
    const whole = referredBy(root, name, walk);
    if (!whole) continue;
    walk.names.add(`${root}.${name}`);
    visitReferred(inner(whole, steps), root === 'var', walk);
  }
}

function visitReferred(node: Tree, isLiteral: boolean, walk: Walk): void {
  if (walk.seen.has(node)) return;
  walk.seen.add(node);
  const text = textOf(node);
  if (text === undefined) hideAll(node, walk);
  else if (isLiteral) {
    hideNode(node, walk);
    if (text !== '') walk.hasLiteral = true;
  } else visitText(node, text, walk);
}

/** Which of its texts is the token can not be told: none is shown. */
function hideAll(node: Tree, walk: Walk): void {
  if (node.kind === 'map') for (const entry of node.entries) hideAll(entry.node, walk);
  else if (node.kind === 'list') for (const item of node.items) hideAll(item, walk);
  else if (typeof node.value === 'string') hideNode(node, walk);
}

/** Hides a credential wherever in the module it stands. */
function hideEqual(secret: string, { module, site }: Walk): void {
  const look = (node: Tree): void => {
    if (node.kind === 'map') for (const entry of node.entries) look(entry.node);
    else if (node.kind === 'list') for (const item of node.items) look(item);
    else if (node.value === secret) site.report.hide(node.place.file, node.range);
  };
  for (const { body } of [...module.providers, ...module.variables.values()]) look(body);
  for (const { node } of module.locals.values()) look(node);
}

function tryValue(node: Tree, { scope }: Site): string | undefined {
  try {
    const value = valueOfTree(node, scope);
    return typeof value === 'string' && value !== '' ? value : undefined;
  } catch (thrown) {
    if (thrown instanceof Refused) return undefined;
    throw thrown;
  }
}

/** A token as it is written for one provider. Returns whether it stands in the open. */
function isExposed(node: Tree, walk: Walk): boolean {
  const written = textOf(node);
  if (written === undefined) {
    hideNode(node, walk);
    return false;
  }
  visitText(node, written, walk);
  const value = tryValue(node, walk.site);
  if (value !== undefined) hideEqual(value, walk);
  return walk.hasLiteral || value !== undefined;
}

const SECRET = 'A value for `access_token`';

/**
 * The token comes from the environment; what refers to a variable is fine, a literal is a secret in the open, and told.
 * Whatever a token is made of is shown nowhere, be it worked out or not.
 */
export function hideTokens(module: Module, site: Site): TokenParts {
  const places = new Set<string>();
  const sealed = new Set<string>();
  for (const { body } of module.providers) {
    const node = tryFindEntry(body, 'access_token')?.node;
    if (!node || isNothing(node)) continue;
    const walk: Walk = { module, site, seen: new Set(), names: new Set(), places, hasLiteral: false };
    if (!isExposed(node, walk)) continue;
    reportSecret(SECRET, placed(node.place, site), site.report);
    for (const name of walk.names) sealed.add(name);
  }
  return { places, sealed };
}
