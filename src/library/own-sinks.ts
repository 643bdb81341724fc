import { blankTraces, Fault, isFault, maskCredentials, Secret } from '../domain/index.ts';
import type { SecretSink, SinkAccess } from '../reconcile/index.ts';

/**
 * Wraps the sinks of a program. Their errors and remarks may repeat what they were given, as that of an HTTP client does with its request:
 * no report, and no cause of an error, contains a secret that a sink has got.
 */
export function ownSinks(sinks: SinkAccess): SinkAccess {
  const given = new Set<Secret>();
  return {
    of: (name) => sinks.of(name).map((sink) => ownSink(sink, given)),
    metadataOf: (name) => sinks.metadataOf(name),
  };
}

function ownSink(sink: SecretSink, given: Set<Secret>): SecretSink {
  const get = (target: SecretSink, name: string | symbol): unknown => {
    const member: unknown = Reflect.get(target, name);
    if (typeof member !== 'function') return member;
    return async (...args: readonly unknown[]): Promise<unknown> => {
      for (const each of args.flat()) if (each instanceof Secret) given.add(each);
      const clean = (text: string): string => maskCredentials(blankTraces(text, given));
      try {
        const result: unknown = await Reflect.apply(member, target, args);
        return typeof result === 'string' && name === 'exposure' ? clean(result) : result;
      } catch (thrown) {
        throw sinkFault(thrown, target.id, clean);
      }
    };
  };
  return new Proxy(sink, { get });
}

/** An error of a program does not show whether its write took effect: the sink is asked. */
function sinkFault(thrown: unknown, id: string, clean: (text: string) => string): Fault {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (isFault(thrown)) {
    const { code, hint, remedy, detail } = thrown;
    if (clean(message) === message && clean(hint ?? '') === (hint ?? '')) return thrown;
    return new Fault(code, clean(message), {
      ...(hint === undefined ? {} : { hint: clean(hint) }),
      ...(remedy && { remedy }),
      detail,
    });
  }
  const cause = new Error(clean(message));
  cause.stack = clean((thrown instanceof Error && thrown.stack) || message);
  return new Fault('sink.unexpected-answer', `“${id}” failed: ${cause.message}`, {
    cause,
    hint: 'The sink is not part of Keyplane. Its error is the cause of this one.',
  });
}
