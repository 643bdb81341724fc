import { type KeyMetadata, labelPairs, METADATA_TEXT_NAMES } from '../../domain/index.ts';
import { printable } from './layout/printable.ts';
import type { Row } from './layout/rows.ts';

/** `env=prod, team=search`, in the order of names. */
const labelsText = (metadata: KeyMetadata): string =>
  labelPairs(metadata)
    .map(([name, value]) => printable(`${name}=${value}`))
    .join(', ');

/** The metadata of a key, a row for each fact. */
export function metadataRows(metadata: KeyMetadata = {}): readonly Row[] {
  const texts = METADATA_TEXT_NAMES.flatMap((label) => {
    const text = metadata[label];
    return text === undefined ? [] : [{ label, value: printable(text) }];
  });
  const labels = labelsText(metadata);
  return labels === '' ? texts : [...texts, { label: 'labels', value: labels }];
}
