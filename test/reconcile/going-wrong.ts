import { Fault, type FaultCode } from '../../src/domain/index.ts';
import type { Hook, MemoryStore } from '../contract/memory-store.ts';
import type { applied } from './account.ts';

/** Throws at the nth time (from 1) that an operation is entered, before it takes effect. */
export function failing(
  operation: Parameters<Hook>[0],
  code: FaultCode,
  when: (n: number) => boolean = () => true,
  detail: { readonly sent?: 'no' } = {},
): Hook {
  let n = 0;
  return (entered) => {
    if (entered !== operation) return;
    n += 1;
    if (when(n)) throw new Fault(code, `${operation} failed on purpose`, { detail });
  };
}

/** Lets the operation take effect and loses its answer: by throwing out of the store's method after the fact. */
export function losing(store: MemoryStore, operation: 'create' | 'update' | 'setEnabled' | 'delete', times = 1): void {
  const real = store[operation].bind(store) as (...args: unknown[]) => Promise<void>;
  let left = times;
  Object.assign(store, {
    [operation]: async (...args: unknown[]) => {
      await real(...args);
      left -= 1;
      if (left >= 0) throw new Fault('gateway.connection-lost', 'the answer was lost');
    },
  });
}

/** Verb, name and end of each change: `create a: applied`. */
export const states = (report: Awaited<ReturnType<typeof applied>>): string[] =>
  report.outcomes.map((o) => `${o.change.verb} ${o.change.name}: ${o.state}`);
