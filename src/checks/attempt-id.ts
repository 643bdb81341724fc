import { createHash } from 'node:crypto';
import type { CheckContext } from './check-module.ts';

/** Identifies one attempt at one check of one key: 16 hexadecimal digits. Its time makes it different from every other attempt. */
export function attemptId({ key, spec, clock }: Pick<CheckContext, 'key' | 'spec' | 'clock'>): string {
  const about = JSON.stringify([key.observed.id, spec.name, clock.now()]);
  return createHash('sha256').update(about).digest('hex').slice(0, 16);
}
