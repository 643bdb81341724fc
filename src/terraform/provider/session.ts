import { type Decode, decodeValue, encodeValue, openRememberingDecoder } from '../codec/msgpack.ts';
import { isObject, type TerraformObject, type TerraformValue, type ValueType } from '../codec/value.ts';
import type { CallContext } from '../serve/grpc.ts';
import type { OperationContext } from './definition.ts';
import { DiagnosticError, diagnosticsOf, type ProtocolDiagnostic } from './diagnostics.ts';
import { type Mask, maskedDiagnostic, maskedState } from './masked.ts';
import { type Schema, typeOf } from './schema.ts';
import { diagnosticMessage } from './to-messages.ts';
import { mayHoldSecrets } from './write-only.ts';

/** The parts that all handlers share: values from bytes and back, and diagnostics instead of exceptions. */

export type Bytes = { readonly msgpack: Uint8Array } | undefined;

/** The first byte of null in MessagePack. */
const NIL = 0xc0;

/** Is a value null, such as the one that is proposed for a destruction? Decodes nothing. */
export const isNull = (bytes: Bytes): boolean => bytes === undefined || (bytes.msgpack[0] ?? NIL) === NIL;

export const readValue = (bytes: Bytes, type: ValueType, decode: Decode = decodeValue): TerraformValue =>
  bytes === undefined || bytes.msgpack.length === 0 ? null : decode(bytes.msgpack, type);

export function tryReadObject(bytes: Bytes, type: ValueType, decode?: Decode): TerraformObject | undefined {
  const value = readValue(bytes, type, decode);
  return isObject(value) ? value : undefined;
}

export function readObject(bytes: Bytes, type: ValueType, decode?: Decode): TerraformObject {
  const value = tryReadObject(bytes, type, decode);
  if (value) return value;
  throw new Error('core sent no configuration');
}

/** Reads a nested configuration block, for which core sends null when the user omits it. */
export const readBlock = (bytes: Bytes, schema: Schema): TerraformObject =>
  tryReadObject(bytes, typeOf(schema)) ??
  Object.fromEntries(Object.keys(schema.attributes).map((name): [string, TerraformValue] => [name, null]));

export const toBytes = (value: TerraformValue, type: ValueType) => ({ msgpack: encodeValue(value, type) });

/** @throws DiagnosticError when there is no member of that type name */
export function findMember<T>(members: { readonly [typeName: string]: T }, typeName: string, kind: string): T {
  const found = Object.hasOwn(members, typeName) ? members[typeName] : undefined;
  if (found !== undefined) return found;
  throw new DiagnosticError({ summary: `There is no ${kind} ${typeName}` });
}

/** Runs a call and adds its diagnostics to the response. An error of the transport would look like a crash to users. */
export async function respond<A extends object>(
  work: (diagnostics: ProtocolDiagnostic[]) => A | Promise<A>,
  mask: Mask = (text) => text,
) {
  const diagnostics: ProtocolDiagnostic[] = [];
  const response = await Promise.resolve()
    .then(() => work(diagnostics))
    .catch((thrown: unknown) => {
      diagnostics.push(...diagnosticsOf(thrown));
      return {};
    });
  return { ...response, diagnostics: diagnostics.map((each) => diagnosticMessage(maskedDiagnostic(each, mask))) };
}

export const notConfigured = (remedy?: string): DiagnosticError =>
  new DiagnosticError({
    summary: 'The provider is not configured yet',
    detail: [
      'Its configuration depends on values that are known only after an apply.',
      ...(remedy ? [remedy] : []),
    ].join(' '),
  });

/** The state that all calls of one process share. */
export interface ProviderSession<C> {
  /** @throws DiagnosticError while the provider’s configuration is unknown */
  context(diagnostics: ProtocolDiagnostic[], call: CallContext): OperationContext<C>;
  /** Accepts an unknown provider configuration. */
  planContext(diagnostics: ProtocolDiagnostic[], call: CallContext): OperationContext<C | undefined>;
  /** Stops waiting for a read when core stops the provider. @throws DiagnosticError */
  untilStopped<A>(reading: Promise<A>): Promise<A>;
  /** A state without secrets outside of its sensitive attributes. */
  masked(schema: Schema, state: TerraformObject): TerraformObject;
  readonly mask: Mask;
  /** The decoder for the configurations and the states of a resource, which remembers what it decoded unless it may be secret. */
  decoderOf(schema: Schema): Decode;
  /** Removes the warnings that an earlier process of the run has shown. */
  onlyNew(diagnostics: ProtocolDiagnostic[]): Promise<void>;
}

/** The parts of a session that do not depend on one call. */
export interface SessionOptions<C> {
  readonly client: () => C | undefined;
  /** Aborted when core stops the provider. */
  readonly stop: AbortSignal;
  readonly mask: Mask;
  readonly isShown?: ((text: string) => Promise<boolean>) | undefined;
}

const INTERRUPTED = { summary: 'Interrupted' };

async function keepNew(diagnostics: ProtocolDiagnostic[], isShown: SessionOptions<unknown>['isShown']): Promise<void> {
  const all = diagnostics.splice(0);
  for (const each of all) {
    const { severity, summary, detail, path } = each;
    const isOld = severity === 'warning' && (await isShown?.(JSON.stringify([summary, detail, path])));
    if (isOld !== true) diagnostics.push(each);
  }
}

export function openSession<C>({ client, stop, mask, isShown }: SessionOptions<C>): ProviderSession<C> {
  const stopped = new Promise<never>((_, reject) => {
    stop.addEventListener('abort', () => reject(new DiagnosticError(INTERRUPTED)), { once: true });
  });
  // No read may be under way when it rejects.
  stopped.catch(() => undefined);
  const remembering = openRememberingDecoder();
  const contextOf = <K>(configured: K, diagnostics: ProtocolDiagnostic[], call: CallContext): OperationContext<K> => ({
    client: configured,
    get signal() {
      return call.signal;
    },
    warn: (warning) => diagnostics.push({ severity: 'warning', ...warning }),
  });
  return {
    mask,
    decoderOf: ({ attributes }) => (mayHoldSecrets(attributes) ? decodeValue : remembering),
    onlyNew: (diagnostics) => keepNew(diagnostics, isShown),
    masked: (schema, state) => maskedState(schema, state, mask),
    untilStopped: (reading) => Promise.race([reading, stopped]),
    planContext: (diagnostics, call) => contextOf(client(), diagnostics, call),
    context(diagnostics, call) {
      const configured = client();
      if (configured === undefined) throw notConfigured();
      return contextOf(configured, diagnostics, call);
    },
  };
}
