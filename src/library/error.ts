import { type DetailOf, Fault, type FaultCode, isFault } from '../domain/index.ts';

/** Trouble with the world or with Keyplane: `detail` has the type that its `code` has. */
export type KeyplaneError<C extends FaultCode = FaultCode> = {
  readonly [Code in C]: Omit<Fault, 'code' | 'detail'> & { readonly code: Code; readonly detail: DetailOf<Code> };
}[C];

/** The class of every error that Keyplane throws on purpose. {@link isKeyplaneError} also recognizes those of another copy of it. */
export const KeyplaneError: new (...args: ConstructorParameters<typeof Fault>) => Fault = Fault;

/**
 * Returns true for an error of Keyplane, with one of these codes if there are any, and narrows `code` and `detail`. Works also when
 * two copies of Keyplane are installed.
 */
export const isKeyplaneError = <C extends FaultCode = FaultCode>(
  thrown: unknown,
  ...codes: readonly C[]
): thrown is KeyplaneError<C> => isFault(thrown, ...codes);
