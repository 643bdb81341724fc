import { blankCredentials } from '../../domain/index.ts';
import type { ValueType } from '../codec/value.ts';
import type { PROVIDER } from '../protocol/services.ts';
import type { Handlers } from '../serve/grpc.ts';
import { ArgumentError, type FunctionDefinition, type Provider } from './definition.ts';
import { readValue, toBytes } from './session.ts';
import { functionMessage } from './to-messages.ts';

const argumentType = ({ parameters, variadic }: FunctionDefinition, index: number): ValueType =>
  (parameters[index] ?? variadic)?.type ?? 'dynamic';

const errorMessage = (thrown: unknown) => {
  const text = blankCredentials(thrown instanceof Error ? thrown.message : String(thrown));
  return { text, ...(thrown instanceof ArgumentError ? { functionArgument: thrown.position } : {}) };
};

export const functionHandlers = (
  functions: Provider<unknown>['functions'],
): Pick<Handlers<typeof PROVIDER>, 'getFunctions' | 'callFunction'> => ({
  getFunctions: () => ({
    functions: new Map(Object.entries(functions).map(([name, definition]) => [name, functionMessage(definition)])),
  }),
  callFunction({ name, arguments: sent }) {
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (called === undefined) return { error: { text: `there is no function ${name}` } };
    try {
      const args = sent.map((bytes, index) => readValue(bytes, argumentType(called, index)));
      return { result: toBytes(called.call(...args), called.returns) };
    } catch (thrown) {
      return { error: errorMessage(thrown) };
    }
  },
});
