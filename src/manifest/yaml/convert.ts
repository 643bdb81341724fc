import { isAlias, isMap, isScalar, isSeq, type Pair, type YAMLMap } from 'yaml';
import { holdsSecret, isSecretField, quoted } from '../../source/index.ts';
import { splitValues } from './comma.ts';
import { describeNode, type Entry, type MapNode, type YamlNode } from './node.ts';
import {
  type Conversion,
  type FieldNames,
  isForeign,
  leaf,
  type Range,
  RECURSIVE,
  rangeOf,
  reportSecret,
  type Spot,
  scalarTree,
} from './scalar.ts';

/** The most nodes that aliases may multiply to: a few lines can expand to billions of nodes. */
const SIZE_LIMIT = 2_000_000;

function aliasTree(name: string, conversion: Conversion, range: Range): YamlNode {
  const target = conversion.anchors.get(name);
  if (target !== undefined && target !== RECURSIVE) return target;
  conversion.report.problem({
    code: 'manifest.syntax',
    at: conversion.placeOf(...range),
    message:
      target === RECURSIVE
        ? `The alias *${name} is inside its own anchor.`
        : `\`*${name}\` without quotes is an alias, and no anchor \`&${name}\` comes before it.`,
    found: quoted(`*${name}`),
    expected: 'an alias of an earlier anchor in the same document',
    hint: `Define the anchor, or quote the string: \`"*${name}"\`.`,
  });
  return leaf(conversion, range, { broken: true });
}

function nameOf(key: unknown, conversion: Conversion, spot: Spot): string | undefined {
  // `123:` and `null:` are names, verbatim.
  if (isScalar(key)) return typeof key.value === 'string' ? key.value : (key.source ?? '');
  const target = isAlias(key) ? conversion.anchors.get(key.source) : undefined;
  if (typeof target === 'object' && target.kind === 'scalar') return target.source;
  const isTemplate = isMap(key) && key.flow === true;
  conversion.report.problem({
    code: 'manifest.wrong-type',
    at: conversion.placeOf(...(isTemplate ? spot.range : rangeOf(key, spot.range))),
    message: isTemplate ? 'Keyplane does not fill in templates in `{{ }}`.' : 'A field name must be a string.',
    found: isTemplate ? 'braces within braces' : 'a list or a map',
    expected: isTemplate ? 'a value, or `${env:NAME}`' : 'a string',
    hint: isTemplate
      ? 'Render the template before Keyplane reads it, or use an environment variable.'
      : 'Check the brackets, the braces and the `?` around it.',
  });
  return undefined;
}

/** Entries merged by `<<: *base` or `<<: [*a, *b]`; fields of the map itself win, then those of the earlier map. */
function mergedEntries(node: YamlNode, { report }: Conversion): readonly Entry[] {
  const maps = node.kind === 'list' ? node.items : [node];
  return maps.flatMap((map) => {
    if (map.kind === 'map') return map.entries;
    if (!map.broken) {
      report.problem({
        code: 'manifest.wrong-type',
        at: map.place,
        message: '`<<` can only merge maps.',
        found: describeNode(map),
        expected: 'an alias of a map, or a list of aliases',
        hint: 'Write an alias, like `<<: *base`. Keys inherit the fields of `defaults` without one.',
      });
    }
    return [];
  });
}

const isMergeKey = (key: unknown): boolean =>
  isScalar(key) && key.value === '<<' && (key.type === 'PLAIN' || key.type === undefined);

function hideSecretField(entry: Entry, conversion: Conversion, path: FieldNames): Entry {
  const { node, name } = entry;
  const isSecret =
    node.kind === 'scalar' && !node.broken && !node.isReferenced && node.value !== null && isSecretField(name);
  if (!isSecret || isForeign(path) || (path.length === 1 && path[0] === 'keys')) return entry;
  conversion.report.hide(node.place.file, node.range);
  reportSecret(conversion, node.place, `a value for \`${name}\``);
  return { ...entry, node: { ...node, value: null, source: '', broken: true } };
}

function reportRepeated(entry: Entry, first: Entry, { report }: Conversion): void {
  report.problem({
    code: 'manifest.syntax',
    at: entry.at,
    message: `${quoted(entry.name)} occurs twice in one map.`,
    found: quoted(entry.name),
    expected: 'each field once',
    hint: 'Remove one of the two.',
    related: [{ place: first.at, message: 'first occurrence' }],
  });
}

function pairEntry(pair: Pair, conversion: Conversion, spot: Spot): Entry | undefined {
  const name = nameOf(pair.key, conversion, spot);
  if (name === undefined) return undefined;
  const range = rangeOf(pair.key, spot.range);
  if (pair.value === null && !isForeign(spot.path) && holdsSecret(name)) {
    const at = conversion.placeOf(...range);
    conversion.report.hide(at.file, range);
    reportSecret(conversion, at, 'a value for a field that may hold a secret');
    return undefined;
  }
  const node = convert(pair.value, conversion, { path: [...spot.path, name], range });
  return hideSecretField({ name, at: conversion.placeOf(...range), node }, conversion, spot.path);
}

/** Repeated key names are reported later, when the keys of all files are known. */
const mayRepeat = (path: FieldNames): boolean => path.length === 1 && path[0] === 'keys';

/** Reports the values that commas end. @returns the pairs that belong to them */
function reportSplit(map: YAMLMap, conversion: Conversion, path: FieldNames): ReadonlySet<Pair> {
  if (!map.flow || isForeign(path)) return new Set();
  const split = splitValues(map.items);
  for (const { range, words } of split) conversion.report.problem({ at: conversion.placeOf(...range), ...words });
  return new Set(split.flatMap(({ first, rest }) => [first, ...rest]));
}

interface Entries {
  readonly entries: readonly Entry[];
  /** Was a part of the map reported and left out? */
  readonly broken: boolean;
}

function entriesOf(map: YAMLMap, conversion: Conversion, spot: Spot): Entries {
  const entries: Entry[] = [];
  const merged: Entry[] = [];
  const names = new Map<string, Entry>();
  const split = reportSplit(map, conversion, spot.path);
  let broken = split.size > 0;
  for (const pair of map.items) {
    if (split.has(pair)) continue;
    if (isMergeKey(pair.key)) {
      const range = rangeOf(pair.key, spot.range);
      merged.push(...mergedEntries(convert(pair.value, conversion, { path: spot.path, range }), conversion));
      continue;
    }
    const entry = pairEntry(pair, conversion, spot);
    broken ||= entry === undefined;
    if (!entry) continue;
    const first = names.get(entry.name);
    if (first && !mayRepeat(spot.path)) reportRepeated(entry, first, conversion);
    else entries.push(entry);
    if (!first) names.set(entry.name, entry);
  }
  for (const entry of merged) {
    if (names.has(entry.name)) continue;
    names.set(entry.name, entry);
    entries.push(entry);
  }
  return { entries, broken };
}

const sizeOf = (nodes: readonly YamlNode[]): number => nodes.reduce((sum, node) => sum + node.size, 1);

function limited(node: YamlNode, { report }: Conversion): YamlNode {
  if (node.size <= SIZE_LIMIT) return node;
  report.problem({
    code: 'manifest.syntax',
    at: node.place,
    message: 'Aliases make this part of the file too large.',
    found: `more than ${SIZE_LIMIT} nodes`,
    expected: `at most ${SIZE_LIMIT} nodes`,
    hint: 'Aliases of aliases multiply; write the values out.',
  });
  return { ...node, size: 1, broken: true, ...(node.kind === 'list' ? { items: [] } : { entries: [] }) } as YamlNode;
}

function mapTree(map: YAMLMap, conversion: Conversion, spot: Spot): MapNode {
  const { entries, broken: isPartial } = entriesOf(map, conversion, spot);
  const nodes = entries.map((entry) => entry.node);
  const place = conversion.placeOf(...spot.range);
  const broken = isPartial || nodes.some((node) => node.broken);
  return { kind: 'map', entries, place, range: spot.range, size: sizeOf(nodes), broken };
}

function listTree(items: readonly unknown[], conversion: Conversion, spot: Spot): YamlNode {
  const nodes = items.map((item, i) => {
    const [start, end] = rangeOf(item, spot.range);
    // An empty item is a point after its dash, so the dash is marked.
    const range: Range = start === end && start > 0 ? [start - 1, start] : spot.range;
    return convert(item, conversion, { path: [...spot.path, String(i)], range });
  });
  const place = conversion.placeOf(...spot.range);
  const broken = nodes.some((node) => node.broken);
  return { kind: 'list', items: nodes, place, range: spot.range, size: sizeOf(nodes), broken };
}

function convert(node: unknown, conversion: Conversion, spot: Spot): YamlNode {
  const range = rangeOf(node, spot.range);
  if (isAlias(node)) return aliasTree(node.source, conversion, range);
  const anchor = (node as { anchor?: string } | null)?.anchor;
  if (anchor) conversion.anchors.set(anchor, RECURSIVE);
  const tree = isMap(node)
    ? limited(mapTree(node, conversion, { ...spot, range }), conversion)
    : isSeq(node)
      ? limited(listTree(node.items, conversion, { ...spot, range }), conversion)
      : isScalar(node)
        ? scalarTree(node, conversion, spot)
        : leaf(conversion, spot.range, {});
  if (anchor) conversion.anchors.set(anchor, tree);
  return tree;
}

/** Converts a document to nodes with places. Resolves aliases, merge keys and references; reports and hides secrets. */
export function treeOf(contents: unknown, conversion: Omit<Conversion, 'anchors'>): YamlNode {
  return convert(contents, { ...conversion, anchors: new Map() }, { path: [], range: [0, 0] });
}
