import { type Rotation, tryParseDuration } from '../../domain/index.ts';
import { describe, isNull, type JsonMember, type JsonObjectNode, stringIn, tryFindMember } from '../json/node.ts';
import { nestedBlocks } from '../module/block.ts';
import { asText, type Resolver, resolve } from '../module/resolve.ts';

/** The form of the durations of the provider. */
const FORM = /^[1-9]\d{0,6}[smhd]$/u;
const LEAST_EVERY = 3600;

function secondsOf({ node, at }: JsonMember, resolver: Resolver): number | undefined {
  const resolved = resolve(node, resolver);
  if (!resolved || isNull(resolved)) return undefined;
  const text = stringIn(asText(resolved));
  if (text !== undefined && FORM.test(text)) return tryParseDuration(text);
  resolver.report.problem({
    code: 'manifest.invalid-value',
    at,
    message: 'This is not a duration.',
    found: describe(resolved),
    expected: 'a string such as `90d`, `12h` or `30m`',
    hint: 'Synthesize it again.',
  });
  return undefined;
}

function reportTooFast(block: JsonObjectNode, { report }: Resolver): void {
  report.problem({
    code: 'manifest.invalid-value',
    at: block.place,
    message: 'Such a rotation would leave more than two generations, or none of them time for its checks.',
    found: describe(block),
    expected: '`every` of `1h` or more, and a shorter `overlap`',
    hint: 'Rotate less often.',
  });
}

function reportMissing(name: string, block: JsonObjectNode, { report }: Resolver): void {
  report.problem({
    code: 'manifest.missing-field',
    at: block.place,
    message: `The rotation has no \`${name}\`.`,
    found: describe(block),
    expected: `\`${name}\`: a duration such as \`90d\``,
    hint: 'Synthesize it again.',
  });
}

/** Reads the block `rotation` of a key; undefined without one, and when it is invalid and reported. */
export function rotationIn(body: JsonObjectNode, resolver: Resolver): Rotation | undefined {
  const [block] = nestedBlocks(body, 'rotation', resolver.report);
  if (block === undefined) return undefined;
  const [every, overlap, quiet] = ['every', 'overlap', 'quiet'].map((name) => {
    const member = tryFindMember(block, name);
    if (member) return secondsOf(member, resolver);
    if (name !== 'quiet') reportMissing(name, block, resolver);
    return undefined;
  });
  if (every === undefined || overlap === undefined) return undefined;
  if (every < LEAST_EVERY || overlap >= every) {
    reportTooFast(block, resolver);
    return undefined;
  }
  return { every, overlap, ...(quiet !== undefined && { quiet }) };
}
