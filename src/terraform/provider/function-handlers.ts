import { blankCredentials } from '../../domain/index.ts';
import type { TerraformValue, ValueType } from '../codec/value.ts';
import type { PROVIDER } from '../protocol/services.ts';
import type { Handlers } from '../serve/grpc.ts';
import { ArgumentError, type FunctionDefinition, type Provider } from './definition.ts';
import { nullElements } from './nulls.ts';
import { type Bytes, readValue, toBytes } from './session.ts';
import { functionMessage } from './to-messages.ts';

const argumentType = ({ parameters, variadic }: FunctionDefinition, index: number): ValueType =>
  (parameters[index] ?? variadic)?.type ?? 'dynamic';

/** Core rejects null arguments, and lets null elements through. @throws ArgumentError */
function readArgument(bytes: Bytes, type: ValueType, position: number): TerraformValue {
  const value = readValue(bytes, type);
  if (nullElements(value, type).length > 0) throw new ArgumentError('must not contain null', position);
  return value;
}

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
      const args = sent.map((bytes, index) => readArgument(bytes, argumentType(called, index), index));
      return { result: toBytes(called.call(...args), called.returns) };
    } catch (thrown) {
      return { error: errorMessage(thrown) };
    }
  },
});
