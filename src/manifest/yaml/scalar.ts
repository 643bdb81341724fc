import type { Scalar as YamlScalar } from 'yaml';
import { looksLikeCredential, type Place } from '../../domain/index.ts';
import { quoted, type Report } from '../../source/index.ts';
import type { ReplacedText } from '../files/known-secrets.ts';
import type { YamlNode } from './node.ts';
import type { ParsedText } from './parse.ts';
import { adviseTemplate, type ReferenceContext, replaceReferences } from './references.ts';

export const RECURSIVE = Symbol('an anchor that is still open');

/** The context that all nodes of a document are converted in. */
export interface Conversion extends Pick<ParsedText, 'placeOf'> {
  readonly references: ReferenceContext;
  /** Called with the text behind each reference: a secret may be among them. */
  readonly onReplaced: (text: ReplacedText) => void;
  readonly report: Report;
  readonly anchors: Map<string, YamlNode | typeof RECURSIVE>;
}

export type FieldNames = readonly string[];
export type Range = readonly [number, number];

/** The place of a node. */
export interface Spot {
  readonly path: FieldNames;
  /** The range to mark when the node itself is empty. */
  readonly range: Range;
}

export const rangeOf = (node: unknown, fallback: Range): Range => {
  const range = (node as { range?: readonly [number, number, number] | null } | null)?.range;
  return range ? [range[0], range[1]] : fallback;
};

export function leaf(
  conversion: Conversion,
  range: Range,
  more: Partial<Extract<YamlNode, { kind: 'scalar' }>>,
): YamlNode {
  const place = conversion.placeOf(...range);
  const base = { kind: 'scalar', value: null, source: '', isReferenced: false, broken: false, size: 1 } as const;
  return { ...base, place, range, ...more };
}

/** Is the path inside a request or the routing tiers? There `key` and `token` are ordinary names. */
export const isForeign = (path: FieldNames): boolean => path.includes('smartRouting') || path[0] === 'checks';

export function reportSecret({ report }: Conversion, at: Place, what: string): void {
  report.problem({
    code: 'manifest.secret-in-manifest',
    at,
    message: `The manifest contains ${what}.`,
    found: 'a value that is not shown',
    expected: 'no secret',
    hint: 'Keyplane creates and delivers API keys itself. If this one was committed, revoke it.',
    remedy: 'supply-token',
  });
}

/** Converts a value that is neither a map nor a list. Replaces its references; reports and hides secrets. */
export function scalarTree(node: YamlScalar, conversion: Conversion, spot: Spot): YamlNode {
  const range = rangeOf(node, spot.range);
  const { value, source = '' } = node;
  if (typeof value === 'number' || typeof value === 'boolean') return leaf(conversion, range, { value, source });
  // An empty value is a point after the colon, so the field's name is marked instead.
  if (value === null || value === undefined) return leaf(conversion, range[0] === range[1] ? spot.range : range, {});
  warnOfTemplate(String(value), { conversion, range, path: spot.path });
  return textTree(String(value), { conversion, range, path: spot.path });
}

/** Warns of a variable of a shell or a template, which stays as it is. */
function warnOfTemplate(
  text: string,
  { conversion, range, path }: { conversion: Conversion; range: Range; path: FieldNames },
): void {
  const advice = isForeign(path) || path.includes('deliver') ? undefined : adviseTemplate(text);
  if (advice === undefined) return;
  conversion.report.problem({
    code: 'manifest.unreadable-reference',
    severity: 'warning',
    at: conversion.placeOf(...range),
    message: 'Keyplane does not replace variables of this form.',
    found: quoted(text),
    expected: '`${env:NAME}`, `${file:path}`, or a value',
    hint: advice,
  });
}

/** A variable without a value must not choose what an empty string stands for in a key, such as another group. */
function emptyReference(text: string, conversion: Conversion, range: Range): YamlNode {
  conversion.report.problem({
    code: 'manifest.invalid-value',
    at: conversion.placeOf(...range),
    message: 'The value is empty, because what it refers to is empty.',
    found: quoted(text),
    expected: 'a variable or a file that is not empty',
    hint: 'Set it to a value. If the field should be an empty string, write `""` instead of the reference.',
  });
  return leaf(conversion, range, { source: text, broken: true });
}

function textTree(
  text: string,
  { conversion, range, path }: { conversion: Conversion; range: Range; path: FieldNames },
): YamlNode {
  const replaced = replaceReferences(text, conversion.references);
  const at = conversion.placeOf(...range);
  if (!replaced.ok) {
    const { ok: _, ...problem } = replaced;
    conversion.report.problem({ ...problem, at, found: quoted(text) });
    return leaf(conversion, range, { source: text, broken: true });
  }
  const isEmptied = replaced.replaced && replaced.text === '';
  if (isEmptied && path[0] !== 'checks') return emptyReference(text, conversion, range);
  if (replaced.replaced) conversion.onReplaced({ value: replaced.text, at, range });
  if (looksLikeCredential(replaced.text)) {
    conversion.report.hide(at.file, range);
    reportSecret(conversion, at, 'what looks like a credential');
    return leaf(conversion, range, { source: '', broken: true });
  }
  return leaf(conversion, range, { value: replaced.text, source: text, isReferenced: replaced.replaced });
}
