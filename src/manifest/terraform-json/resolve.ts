import { looksLikeCredential, type Place } from '../../domain/index.ts';
import { type Problem, quoted, type Report } from '../../source/index.ts';
import type { Entry, Fields, Scalar, Tree } from '../yaml/tree.ts';
import { toText } from './conversion.ts';
import type { Scope } from './evaluate.ts';
import { Refused } from './refused.ts';
import { treeOfValue, valueOfText } from './tree-value.ts';
import { numberFrom } from './value.ts';

/** Where values are wanted: what they may refer to, and the construct that they are of. */
export interface Site {
  readonly scope: Scope;
  readonly construct?: string;
  readonly report: Report;
  /** Where what an access token is made of stands, by `placeName`: texts from there are not quoted. */
  readonly hidden?: ReadonlySet<string>;
}

export const placeName = ({ file, line, column }: Place): string => `${file}:${line}:${column}`;

export const placed = (place: Place, { construct }: Pick<Site, 'construct'>): Place =>
  construct === undefined ? place : { ...place, construct };

const OF_TOKEN = 'Something that an access token is made of is not worked out.';

/** Says of something that it is refused, where its value is wanted and where it stands. */
function reportRefused({ refusal, origin }: Refused, at: Place, { report, hidden }: Site): void {
  const isHidden = origin && hidden?.has(placeName(origin.place));
  const isElsewhere = origin && (origin.place.line !== at.line || origin.place.file !== at.file);
  const problem: Problem = {
    code: 'terraform.unresolved',
    at,
    message: isHidden ? OF_TOKEN : refusal.message,
    found: isHidden ? 'a value that is not shown' : origin ? quoted(origin.text) : 'an expression',
    expected: refusal.expected ?? 'a value that can be worked out without Terraform',
    hint: refusal.hint,
  };
  report.problem(isElsewhere ? { ...problem, related: [{ place: origin.place, message: 'it stands here' }] } : problem);
}

/** Does something that may be refused; then it is reported, and undefined comes back. */
export function attempt<T>(work: () => T, at: Place, site: Site): T | undefined {
  try {
    return work();
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    reportRefused(thrown, at, site);
    return undefined;
  }
}

const broken = (node: Tree, place: Place): Scalar => ({
  kind: 'scalar',
  value: null,
  source: '',
  opaque: false,
  broken: true,
  size: 1,
  range: node.range,
  place,
});

/** Is there a text in it that looks like an API key? */
const holdsCredential = (node: Tree): boolean => {
  if (node.kind === 'scalar') return typeof node.value === 'string' && looksLikeCredential(node.value);
  if (node.kind === 'list') return node.items.some(holdsCredential);
  return node.entries.some((entry) => looksLikeCredential(entry.name) || holdsCredential(entry.node));
};

export function reportSecret(what: string, at: Place, report: Report): void {
  report.problem({
    code: 'manifest.secret-in-manifest',
    at,
    message: `${what} stands in the Terraform JSON.`,
    found: 'a value that is not shown',
    expected: 'no secret',
    hint: 'Give the system access token in KEYPLANE_ACCESS_TOKEN; Keyplane makes API keys itself. If this one was committed, revoke it.',
  });
}

/** The tree; broken, and reported, when it holds what looks like an API key. */
export function withoutSecret(tree: Tree, place: Place, site: Site): Tree {
  if (!holdsCredential(tree)) return tree;
  site.report.hide(place.file, tree.range);
  reportSecret('What looks like an API key', place, site.report);
  return broken(tree, place);
}

function resolveText(node: Scalar, text: string, site: Site): Tree {
  const place = placed(node.place, site);
  const tree = attempt(() => treeOfValue(valueOfText(text, node.place, site.scope), place, node.range), place, site);
  return tree ? withoutSecret(tree, place, site) : broken(node, place);
}

function resolveEntry({ name, at, node }: Entry, site: Site): Entry | undefined {
  const place = placed(at, site);
  const text = attempt(() => toText(valueOfText(name, at, site.scope)), place, site);
  return text === undefined ? undefined : { name: text, at: place, node: resolve(node, site) };
}

function reportRepeated({ name, at }: Entry, first: Entry, { report }: Site): void {
  report.problem({
    code: 'manifest.syntax',
    at,
    message: `${quoted(name)} stands twice in one object.`,
    found: quoted(name),
    expected: 'each name once',
    hint: 'Two names come to the same text: keep one of the two.',
    related: [{ place: first.at, message: 'the first one' }],
  });
}

function resolveFields(node: Fields, site: Site): Tree {
  const entries = node.entries.filter(({ name }) => name !== '//').map((entry) => resolveEntry(entry, site));
  const byName = new Map<string, Entry>();
  const right = entries.filter((entry) => {
    const first = entry && byName.get(entry.name);
    if (first) reportRepeated(entry, first, site);
    else if (entry) byName.set(entry.name, entry);
    return entry !== undefined && !first;
  }) as readonly Entry[];
  const isBroken = right.length < entries.length || right.some((entry) => entry.node.broken);
  return { ...node, entries: right, place: placed(node.place, site), broken: isBroken };
}

/** A part of Terraform JSON with every expression in it worked out. What can not be is reported, and broken. */
export function resolve(node: Tree, site: Site): Tree {
  if (node.kind === 'map') return resolveFields(node, site);
  const place = placed(node.place, site);
  if (node.kind === 'list') {
    const items = node.items.map((item) => resolve(item, site));
    return { ...node, items, place, broken: items.some((item) => item.broken) };
  }
  if (typeof node.value === 'string') return resolveText(node, node.value, site);
  const isRight = typeof node.value !== 'number' || attempt(() => numberFrom(node.source), place, site) !== undefined;
  return isRight ? { ...node, place } : broken(node, place);
}
