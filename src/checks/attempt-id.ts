import { createHash } from 'node:crypto';
import type { CheckSpec, ObservedKey } from '../domain/index.ts';
import type { Clock } from '../gateway/index.ts';

/** One attempt at one check of one key. Its time makes it different from every other attempt. */
export interface AttemptOfCheck {
  readonly key: { readonly observed: Pick<ObservedKey, 'id'> };
  readonly spec: Pick<CheckSpec, 'name'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Identifies an attempt: 16 hexadecimal digits. */
export function attemptId({ key, spec, clock }: AttemptOfCheck): string {
  const about = JSON.stringify([key.observed.id, spec.name, clock.now()]);
  return createHash('sha256').update(about).digest('hex').slice(0, 16);
}
