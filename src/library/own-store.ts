import { Fault } from '../domain/index.ts';
import type { KeyStore } from '../reconcile/index.ts';

/** Turns an error of a store of somebody else into a fault that names the store: it is not a defect of Keyplane. */
function storeFault(thrown: unknown, method: string): Fault {
  if (thrown instanceof Fault) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Fault('store.failed', `The store failed in \`${method}\`: ${message}`, {
    cause: thrown,
    detail: { method },
    hint: 'The store is not part of Keyplane. Its error is the cause of this one.',
  });
}

async function* guarded(entries: AsyncIterable<unknown>, method: string): AsyncGenerator<unknown> {
  try {
    yield* entries;
  } catch (thrown) {
    throw storeFault(thrown, method);
  }
}

const isIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Wraps a store of somebody else, so that its errors are distinguished from those of Keyplane. */
export function ownStore(store: KeyStore): KeyStore {
  const get = (target: KeyStore, name: string | symbol): unknown => {
    const member: unknown = Reflect.get(target, name);
    if (typeof member !== 'function') return member;
    const method = String(name);
    return (...args: readonly unknown[]): unknown => {
      try {
        const result: unknown = Reflect.apply(member, target, args);
        if (isIterable(result)) return guarded(result, method);
        if (!(result instanceof Promise)) return result;
        return result.catch((thrown: unknown) => {
          throw storeFault(thrown, method);
        });
      } catch (thrown) {
        throw storeFault(thrown, method);
      }
    };
  };
  return new Proxy(store, { get });
}
