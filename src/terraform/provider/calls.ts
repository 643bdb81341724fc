import { decodeValue, encodeValue } from '../codec/msgpack.ts';
import { isObject, type ObjectValue, type Value, type ValueType } from '../codec/value.ts';
import type { CallContext } from '../serve/grpc.ts';
import { Refused, type Remark, type Surroundings } from './definition.ts';
import { remarksOf } from './remarks.ts';
import { type Schema, typeOf } from './schema.ts';
import { diagnosticMessage } from './to-messages.ts';

/** What answers to calls have in common: values from bytes and back, and that trouble is told instead of thrown. */

export type Bytes = { readonly msgpack: Uint8Array } | undefined;

export const readValue = (bytes: Bytes, type: ValueType): Value =>
  bytes === undefined || bytes.msgpack.length === 0 ? null : decodeValue(bytes.msgpack, type);

export function tryReadObject(bytes: Bytes, type: ValueType): ObjectValue | undefined {
  const value = readValue(bytes, type);
  return isObject(value) ? value : undefined;
}

export function readObject(bytes: Bytes, type: ValueType): ObjectValue {
  const value = tryReadObject(bytes, type);
  if (value) return value;
  throw new Error('core sent no configuration');
}

/** Of what is written as a block in a block: where people wrote none, core sends null. */
export const readInner = (bytes: Bytes, schema: Schema): ObjectValue =>
  tryReadObject(bytes, typeOf(schema)) ??
  Object.fromEntries(Object.keys(schema.attributes).map((name): [string, Value] => [name, null]));

export const written = (value: Value, type: ValueType) => ({ msgpack: encodeValue(value, type) });

/** Of what is asked for by name. @throws Refused */
export function findIn<T>(members: { readonly [typeName: string]: T }, typeName: string, what: string): T {
  const found = Object.hasOwn(members, typeName) ? members[typeName] : undefined;
  if (found !== undefined) return found;
  throw new Refused({ summary: `There is no ${what} ${typeName}` });
}

/** Runs a call and gives its answer with what is to be said: an error of the transport would look like a crash to people. */
export async function told<A extends object>(work: (remarks: Remark[]) => A | Promise<A>) {
  const remarks: Remark[] = [];
  const answer = await Promise.resolve()
    .then(() => work(remarks))
    .catch((thrown: unknown) => {
      remarks.push(...remarksOf(thrown));
      return {};
    });
  return { ...answer, diagnostics: remarks.map(diagnosticMessage) };
}

const NOT_CONFIGURED = {
  summary: 'The provider is not configured yet',
  detail: 'Its configuration depends on values that are known only after an apply.',
};

/** What the calls of one process share. */
export interface Line<C> {
  /** @throws Refused while the provider’s configuration is unknown */
  around(remarks: Remark[], context: CallContext): Surroundings<C>;
  /** What is only read is waited for no longer than core wants. @throws Refused */
  unlessEnded<A>(reading: Promise<A>): Promise<A>;
  /** Bears that it is unknown. */
  aroundPlan(remarks: Remark[], context: CallContext): Surroundings<C | undefined>;
}

const INTERRUPTED = { summary: 'Interrupted' };

/** @param stop aborted when core wants all to end */
export function openLine<C>(client: () => C | undefined, stop: AbortSignal): Line<C> {
  const ended = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(new Refused(INTERRUPTED)), { once: true });
  });
  // Nobody may be reading when it ends.
  ended.catch(() => undefined);
  const surroundings = <K>(known: K, remarks: Remark[], context: CallContext): Surroundings<K> => ({
    client: known,
    get signal() {
      return context.signal;
    },
    warn: (remark) => remarks.push({ severity: 'warning', ...remark }),
  });
  return {
    unlessEnded: (reading) => Promise.race([reading, ended]),
    aroundPlan: (remarks, context) => surroundings(client(), remarks, context),
    around(remarks, context) {
      const known = client();
      if (known === undefined) throw new Refused(NOT_CONFIGURED);
      return surroundings(known, remarks, context);
    },
  };
}
