import { type DeclaredSink, Fault, isRemote, type Secret, sinkId, sinkKind } from '../domain/index.ts';
import type { SecretSink, SinkOperations } from '../reconcile/index.ts';
import { ageSink } from './age-sink.ts';
import { type ExecOptions, execSink } from './exec/exec-sink.ts';
import { fileSink } from './file/file-sink.ts';
import { kubernetesSink } from './kubernetes-sink.ts';
import { isAllowedSink } from './remote/allowed-places.ts';
import { type NetworkPermission, openRemote, outsideText, refusedSink } from './remote/open-remote.ts';

export interface SinkOptions extends ExecOptions {
  /** Undefined: no sink on the network may be contacted. */
  readonly network?: NetworkPermission | undefined;
}

/** Opens the sink that a manifest declares. Contacts nothing yet. */
export function openSink(declared: DeclaredSink, options: SinkOptions): SecretSink {
  const { target, adopt, propagateSeconds, onDestroy } = declared;
  const id = sinkId(target);
  const { network } = options;
  const isOutside = isRemote(target) && network?.others === 'withheld' && !isAllowedSink(target, network);
  return {
    id,
    kind: sinkKind(target),
    adopt,
    propagateSeconds,
    onDestroy,
    ...(isOutside ? { withheld: outsideText(target) } : {}),
    ...onlyCredentials(bodyOf(declared, id, options)),
  };
}

/**
 * Whatever goes wrong before, no sink is emptied by a write, nor gets a mask. Where a gateway reveals something like that, what the sink
 * holds is not compared with it either: it would look like drift.
 */
const onlyCredentials = (body: SinkOperations): SinkOperations => ({
  ...body,
  async compare(secret, signal) {
    refuseUnacceptable(secret);
    return await body.compare(secret, signal);
  },
  async write(secret, metadata, signal) {
    refuseUnacceptable(secret);
    await body.write(secret, metadata, signal);
  },
});

function refuseUnacceptable(secret: Secret): void {
  if (secret.isAcceptable()) return;
  throw new Fault('sink.refused', 'The gateway revealed something that is not a secret: it is empty or masked.', {
    hint: 'Nothing was written. Find out whether the credentials of this run may reveal secrets.',
  });
}

function bodyOf({ target, folder: root }: DeclaredSink, id: string, options: SinkOptions): SinkOperations {
  if ('format' in target) return fileSink(target, root);
  if ('encrypt' in target) return ageSink(target, root);
  if ('kubernetesSecret' in target) return kubernetesSink(target, root);
  if ('exec' in target) return execSink(target, { root, id, options });
  const { network, env } = options;
  if (network === undefined || !isAllowedSink(target, network)) return refusedSink(id, target);
  return openRemote(target, { connections: network.connections, env });
}
