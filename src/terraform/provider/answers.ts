import { decodeValue, encodeValue } from '../codec/msgpack.ts';
import { isObject, type ObjectValue, type Value, type ValueType } from '../codec/value.ts';
import type { PROVIDER } from '../protocol/services.ts';
import type { Answers } from '../serve/grpc.ts';
import { BadArgument, type DataSource, type Provider, Refused, type Remark, type Surroundings } from './definition.ts';
import { remarksOf } from './remarks.ts';
import { typeOf } from './schema.ts';
import { diagnosticMessage, functionMessage, schemaMessage } from './to-messages.ts';

const CAPABILITIES = { planDestroy: true, getProviderSchemaOptional: true, moveResourceState: false } as const;

type Bytes = { readonly msgpack: Uint8Array } | undefined;

const read = (bytes: Bytes, type: ValueType): Value =>
  bytes === undefined || bytes.msgpack.length === 0 ? null : decodeValue(bytes.msgpack, type);

function readObject(bytes: Bytes, type: ValueType): ObjectValue {
  const value = read(bytes, type);
  if (isObject(value)) return value;
  throw new Error('core sent no configuration');
}

const written = (value: Value, type: ValueType) => ({ msgpack: encodeValue(value, type) });

const mapValues = <A, B>(members: { readonly [name: string]: A }, work: (member: A) => B): ReadonlyMap<string, B> =>
  new Map(Object.entries(members).map(([name, member]) => [name, work(member)]));

/** Runs a call and gives its answer with what is to be said: an error of the transport would look like a crash to people. */
async function told<A extends object>(work: (remarks: Remark[]) => Promise<A>) {
  const remarks: Remark[] = [];
  const answer = await work(remarks).catch((thrown: unknown) => {
    remarks.push(...remarksOf(thrown));
    return {};
  });
  return { ...answer, diagnostics: remarks.map(diagnosticMessage) };
}

const NOT_CONFIGURED = {
  summary: 'The provider is not configured yet',
  detail: 'Its configuration depends on values that are known only after an apply.',
};

type DataAnswers = 'readDataSource' | 'validateDataResourceConfig';

function dataAnswers<C>(
  sources: Provider<C>['dataSources'],
  around: (remarks: Remark[], signal: AbortSignal) => Surroundings<C>,
): Pick<Answers<typeof PROVIDER>, DataAnswers> {
  const find = (typeName: string): DataSource<C> => {
    const source = sources[typeName];
    if (source) return source;
    throw new Refused({ summary: `There is no data source ${typeName}` });
  };
  return {
    validateDataResourceConfig: ({ typeName }) =>
      told(async () => {
        find(typeName);
        return {};
      }),
    readDataSource: ({ typeName, config }, { signal }) =>
      told(async (remarks) => {
        const source = find(typeName);
        const type = typeOf(source.schema);
        return { state: written(await source.read(readObject(config, type), around(remarks, signal)), type) };
      }),
  };
}

type FunctionAnswers = 'getFunctions' | 'callFunction';

const functionAnswers = (
  functions: Provider<unknown>['functions'],
): Pick<Answers<typeof PROVIDER>, FunctionAnswers> => ({
  getFunctions: () => ({ functions: mapValues(functions, functionMessage) }),
  callFunction({ name, arguments: sent }) {
    const called = functions[name];
    if (called === undefined) return { error: { text: `there is no function ${name}` } };
    try {
      const types = sent.map((_, index) => (called.parameters[index] ?? called.variadic)?.type ?? 'dynamic');
      const args = sent.map((bytes, index) => read(bytes, types[index] as ValueType));
      return { result: written(called.call(...args), called.returns) };
    } catch (thrown) {
      const text = thrown instanceof Error ? thrown.message : String(thrown);
      return { error: { text, ...(thrown instanceof BadArgument ? { functionArgument: thrown.position } : {}) } };
    }
  },
});

/** A provider, as the calls of the protocol. @param stop aborted when core wants all to end */
export function answersOf<C>(provider: Provider<C>, stop: AbortController): Partial<Answers<typeof PROVIDER>> {
  const { schema, dataSources, functions } = provider;
  let client: C | undefined;
  const around = (remarks: Remark[], signal: AbortSignal): Surroundings<C> => {
    if (client === undefined) throw new Refused(NOT_CONFIGURED);
    return { client, signal, warn: (remark) => remarks.push({ severity: 'warning', ...remark }) };
  };
  const names = (members: object) => Object.keys(members).map((typeName) => ({ typeName }));
  return {
    getMetadata: () => ({
      serverCapabilities: CAPABILITIES,
      dataSources: names(dataSources),
      functions: Object.keys(functions).map((name) => ({ name })),
    }),
    getProviderSchema: () => ({
      serverCapabilities: CAPABILITIES,
      provider: schemaMessage(schema),
      dataSourceSchemas: mapValues(dataSources, (source) => schemaMessage(source.schema)),
      functions: mapValues(functions, functionMessage),
    }),
    getResourceIdentitySchemas: () => ({}),
    validateProviderConfig: () => ({}),
    configureProvider: ({ config }) =>
      told(async () => {
        client = await provider.configure(readObject(config, typeOf(schema)), stop.signal);
        return {};
      }),
    stopProvider() {
      stop.abort(new Error('core wants an end'));
      return {};
    },
    ...dataAnswers(dataSources, around),
    ...functionAnswers(functions),
  };
}
