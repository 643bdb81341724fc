import { type Json, type KeyMetadata, labelPairs, METADATA_TEXT_NAMES, renderInstant } from '../../../domain/index.ts';
import type { DocumentKey } from '../document.ts';
import { type FieldCodec, writeFields, writeLimit } from '../fields.ts';
import { rotationParts } from '../rotation.ts';
import { writeFlow, writeList, writeText } from './scalar.ts';

const INDENT = '      ';

const writeItems = (items: readonly string[]): string => writeList(items, INDENT);

const CODEC: FieldCodec<string> = {
  kinds: {
    flag: String,
    text: writeText,
    textSet: writeItems,
    ipSet: writeItems,
    instant: renderInstant,
    budget: (budget) =>
      budget.kind === 'unlimited'
        ? 'unlimited'
        : writeLimit(budget, {
            usd: String,
            quota: String,
            text: String,
            flag: String,
            object: (...parts) => `{ ${parts.map(([name, value]) => `${name}: ${value}`).join(', ')} }`,
          }),
    json: (tiers) => (tiers === '' ? '{}' : `{ tiers: ${writeFlow(JSON.parse(tiers) as Json)} }`),
  },
  word: (word) => word,
};

function metadataFields(metadata: KeyMetadata = {}): readonly (readonly [string, string])[] {
  const texts = METADATA_TEXT_NAMES.flatMap((field) => {
    const text = metadata[field];
    return text === undefined ? [] : [[field, writeText(text)] as const];
  });
  const labels = labelPairs(metadata);
  return labels.length === 0 ? texts : [...texts, ['labels', writeFlow(Object.fromEntries(labels))]];
}

/** Writes the fields of a key as YAML, in order. */
export function keyFields({ desired, verbatim, checks }: DocumentKey): ReadonlyMap<string, string> {
  const { enabled, ...fields } = desired;
  const { id, name, renamedFrom } = fields;
  const writeSource = (from: string | number): string =>
    typeof from === 'number' ? `{ id: ${from} }` : writeText(from);
  return new Map([
    ...(id === undefined ? [] : [['id', String(id)] as const, ['name', writeText(name)] as const]),
    // A declared key is enabled by default.
    ...writeFields(enabled === true ? fields : desired, CODEC),
    ...metadataFields(desired.metadata),
    ...(renamedFrom === undefined ? [] : [['renamedFrom', writeSource(renamedFrom)] as const]),
    // Of a rotation in another language, only its meaning is known.
    ...(desired.rotate && !('rotate' in verbatim)
      ? [['rotate', writeFlow(Object.fromEntries(rotationParts(desired.rotate)))] as const]
      : []),
    ...Object.entries(verbatim).map(([field, value]) => [field, writeFlow(value)] as const),
    ...(checks.length > 0 ? [['checks', writeItems(checks)] as const] : []),
  ]);
}
