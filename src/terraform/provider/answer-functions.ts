import { blankCredentials } from '../../domain/index.ts';
import type { ValueType } from '../codec/value.ts';
import type { PROVIDER } from '../protocol/services.ts';
import type { Answers } from '../serve/grpc.ts';
import { readValue, written } from './calls.ts';
import { BadArgument, type Provider } from './definition.ts';
import { functionMessage } from './to-messages.ts';

export const functionAnswers = (
  functions: Provider<unknown>['functions'],
): Pick<Answers<typeof PROVIDER>, 'getFunctions' | 'callFunction'> => ({
  getFunctions: () => ({
    functions: new Map(Object.entries(functions).map(([name, definition]) => [name, functionMessage(definition)])),
  }),
  callFunction({ name, arguments: sent }) {
    const called = Object.hasOwn(functions, name) ? functions[name] : undefined;
    if (called === undefined) return { error: { text: `there is no function ${name}` } };
    try {
      const types = sent.map((_, index) => (called.parameters[index] ?? called.variadic)?.type ?? 'dynamic');
      const args = sent.map((bytes, index) => readValue(bytes, types[index] as ValueType));
      return { result: written(called.call(...args), called.returns) };
    } catch (thrown) {
      const text = thrown instanceof Error ? thrown.message : String(thrown);
      return {
        error: {
          text: blankCredentials(text),
          ...(thrown instanceof BadArgument ? { functionArgument: thrown.position } : {}),
        },
      };
    }
  },
});
