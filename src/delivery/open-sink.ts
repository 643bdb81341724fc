import { type DeclaredSink, sinkId, sinkKind } from '../domain/index.ts';
import type { SecretSink } from '../reconcile/index.ts';
import { ageSink } from './age-sink.ts';
import { type ExecOptions, execSink } from './exec/exec-sink.ts';
import { fileSink } from './file/file-sink.ts';
import { kubernetesSink } from './kubernetes-sink.ts';

export interface SinkOptions extends ExecOptions {
  /** The reason why this run may not contact a sink; undefined: it may. */
  readonly withheld?: (sink: Pick<SecretSink, 'id' | 'kind'>) => string | undefined;
}

/** Opens the sink that a manifest declares. Contacts nothing yet. */
export function openSink(declared: DeclaredSink, options: SinkOptions): SecretSink {
  const { withheld } = options;
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
    ...bodyOf(declared, id, options),
  };
}

type SinkBody = Pick<SecretSink, 'probe' | 'compare' | 'write' | 'read' | 'remove'>;

function bodyOf({ target, folder: root }: DeclaredSink, id: string, options: SinkOptions): SinkBody {
  if ('format' in target) return fileSink(target, root, id);
  if ('encrypt' in target) return ageSink(target, root);
  if ('kubernetesSecret' in target) return kubernetesSink(target, root);
  return execSink(target, { root, id, options });
}
