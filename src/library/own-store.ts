import { Fault } from '../domain/index.ts';
import type { KeyStore } from '../reconcile/index.ts';
import { isIterable, RETURNED, type Returned, USAGE, USAGE_PAGE } from './store-results.ts';

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

/** @throws Fault `store.failed` for a result that the port does not have */
function checked(result: unknown, method: string, { accepts, expected }: Returned): unknown {
  if (accepts(result)) return result;
  throw new Fault('store.failed', `The store failed in \`${method}\`: expected ${expected}.`, {
    detail: { method },
    hint: 'The store is not part of Keyplane, and returned something else.',
  });
}

async function* guarded(entries: AsyncIterable<unknown>, method: string): AsyncGenerator<unknown> {
  try {
    for await (const page of entries) yield checked(page, method, USAGE_PAGE);
  } catch (thrown) {
    throw storeFault(thrown, method);
  }
}

/** Wraps a store of somebody else, so that its errors and wrong results are distinguished from errors of Keyplane. */
export function ownStore(store: KeyStore): KeyStore {
  const get = (target: KeyStore, name: string | symbol): unknown => {
    const member: unknown = Reflect.get(target, name);
    if (typeof member !== 'function') return member;
    const method = String(name);
    return (...args: readonly unknown[]): unknown => {
      try {
        const result: unknown = Reflect.apply(member, target, args);
        if (isIterable(result)) return guarded(result, method);
        if (method === 'usage') return checked(result, method, USAGE);
        const returned = RETURNED[method];
        if (returned === undefined && !(result instanceof Promise)) return result;
        return Promise.resolve(result)
          .then((value: unknown) => (returned === undefined ? value : checked(value, method, returned)))
          .catch((thrown: unknown) => {
            throw storeFault(thrown, method);
          });
      } catch (thrown) {
        throw storeFault(thrown, method);
      }
    };
  };
  return new Proxy(store, { get });
}
