import { tryEvaluate } from '../expression/unresolved.ts';
import { isNull, type JsonNode, stringIn, tryFindMember, tryStep, valuesIn } from '../json/node.ts';
import type { Module } from './module.ts';
import { evaluateNode, placeId, type Resolver, reportSecret } from './resolve.ts';

/** The parts of a module's access tokens. */
export interface TokenParts {
  /** Places of their texts, by `placeId`: no diagnostic quotes them. */
  readonly hidden: ReadonlySet<string>;
  /** `local.t`, `var.t`: names that hold a token in plain text, which nothing else may use. */
  readonly tokenNames: ReadonlySet<string>;
}

/** A reference to a local or a variable, with the plain steps into it. */
const REFERENCE =
  /\b(local|var)\.([\p{ID_Start}_][\p{ID_Continue}-]*)((?:\.[\p{ID_Continue}-]+|\[(?:\d+|"[^"\\]*")\])*)/gu;
/** A reference of any kind, before the first quote of an expression. */
const ANY_REFERENCE = /\$\{[^"]*?[\p{ID_Start}_][\p{ID_Continue}-]*\s*[.[]/u;
const STEP = /[\p{ID_Continue}-]+|(?<=\[")[^"]*(?="\])/gu;

/** The search for everything that one token is made of. */
class TokenSearch {
  readonly names = new Set<string>();
  readonly places = new Set<string>();
  /** True if a text in it refers to nothing else: then that is the token, or a part of it. */
  hasLiteral = false;
  private readonly seen = new Set<JsonNode>();
  private readonly module: Module;
  private readonly hide: (node: JsonNode) => void;
  constructor(module: Module, hide: (node: JsonNode) => void) {
    this.module = module;
    this.hide = hide;
  }

  /** Hides a node and everything it refers to. @param isTemplate whether Terraform evaluates its strings */
  search(node: JsonNode, isTemplate: boolean): void {
    if (this.seen.has(node)) return;
    this.seen.add(node);
    // Which string of a list or an object is the token is unknown: all are hidden.
    for (const [each] of valuesIn(node)) {
      if (each.kind !== 'string') continue;
      this.places.add(placeId(each.place));
      this.hide(each);
    }
    const text = stringIn(node);
    if (text === undefined) return;
    if (text !== '' && !(isTemplate && ANY_REFERENCE.test(text))) this.hasLiteral = true;
    const references = isTemplate ? text.matchAll(REFERENCE) : [];
    for (const [, root = '', name = '', steps = ''] of references) this.follow(root, name, steps.match(STEP) ?? []);
  }

  private follow(root: string, name: string, steps: readonly string[]): void {
    const variable = this.module.variables.get(name)?.body;
    const member = root === 'local' ? this.module.locals.get(name) : tryFindMember(variable, 'default');
    if (!member) return;
    this.names.add(`${root}.${name}`);
    const inner = steps.reduce((node, step) => tryStep(node, step) ?? node, member.node);
    this.search(inner, root === 'local');
  }
}

/** Hides every string of a module that repeats a token. */
function hideCopies(token: string, { providers, variables, locals }: Module, hide: (node: JsonNode) => void): void {
  const bodies = [...providers, ...variables.values()].map(({ body }) => body);
  for (const root of [...bodies, ...[...locals.values()].map(({ node }) => node)]) {
    for (const [node] of valuesIn(root)) if (stringIn(node) === token) hide(node);
  }
}

/** The attributes of a provider that hold a credential. */
const CREDENTIALS = ['access_token', 'models_key'] as const;

const credentialsIn = (body: JsonNode): readonly (readonly [string, JsonNode])[] =>
  CREDENTIALS.flatMap((name) => {
    const node = tryFindMember(body, name)?.node;
    return node && !isNull(node) ? [[name, node] as const] : [];
  });

/**
 * Hides the access tokens and API keys of providers, and reports those in plain text: each comes from the environment, or from a
 * variable without a default. Whatever a token is made of is never shown, evaluated or not.
 */
export function hideTokens(module: Module, { scope, report }: Pick<Resolver, 'scope' | 'report'>): TokenParts {
  const hidden = new Set<string>();
  const tokenNames = new Set<string>();
  const hide = (node: JsonNode): void => report.hide(node.place.file, node.range);
  for (const [name, node] of module.providers.flatMap(({ body }) => credentialsIn(body))) {
    hide(node);
    if (node.kind !== 'string') continue;
    const search = new TokenSearch(module, hide);
    search.search(node, true);
    for (const place of search.places) hidden.add(place);
    const value = tryEvaluate(() => evaluateNode(node, scope));
    const isExposed = typeof value === 'string' && value !== '';
    if (isExposed) hideCopies(value, module, hide);
    if (!isExposed && !search.hasLiteral) continue;
    reportSecret(`a value for \`${name}\``, node.place, report);
    for (const each of search.names) tokenNames.add(each);
  }
  return { hidden, tokenNames };
}
