import { type DeclaredSink, Fault, sinkId, sinkKind } from '../domain/index.ts';
import type { SecretSink } from '../reconcile/index.ts';
import { fileSink } from './file/file-sink.ts';

export interface SinkOptions {
  /** The reason why this run may not contact a sink; undefined: it may. */
  readonly withheld?: (sink: Pick<SecretSink, 'id' | 'kind'>) => string | undefined;
}

/** Opens the sink that a manifest declares. Contacts nothing yet. */
export function openSink(declared: DeclaredSink, { withheld }: SinkOptions = {}): SecretSink {
  const { target, adopt, propagateSeconds, onDestroy } = declared;
  const [id, kind] = [sinkId(target), sinkKind(target)];
  const why = withheld?.({ id, kind });
  return {
    id,
    kind,
    adopt,
    propagateSeconds,
    onDestroy,
    ...(why === undefined ? {} : { withheld: why }),
    ...bodyOf(declared, id),
  };
}

function bodyOf({ target, folder }: DeclaredSink, id: string): ReturnType<typeof fileSink> {
  if ('format' in target) return fileSink(target, folder, id);
  return unsupported(id);
}

function unsupported(id: string): ReturnType<typeof fileSink> {
  const refuse = async (): Promise<never> => {
    throw new Fault('sink.not-allowed', `This version of Keyplane cannot deliver to “${id}” yet.`);
  };
  return { probe: refuse, compare: refuse, write: refuse, read: refuse, remove: refuse };
}
