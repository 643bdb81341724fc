import { MOST_BYTES } from '../../src/source/index.ts';
import { describeSizes } from './sizes.ts';

/** The limits of readers; that of a response is that of a record. */
const LIMITS: Readonly<Record<string, number>> = {
  yaml: MOST_BYTES.yaml,
  'terraform-json': MOST_BYTES.terraformJson,
  'saved-plan': MOST_BYTES.savedPlan,
};

// A little less than the limit: what is larger is refused unread.
describeSizes((reader) => Math.floor(0.99 * (LIMITS[reader] ?? MOST_BYTES.record)));
