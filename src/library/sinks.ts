import type { ExecPermission, NetworkPermission, SinkConnectionSettings } from '../delivery/index.ts';
import { type DesiredState, isRemote, type KeyMetadata } from '../domain/index.ts';
import type { SecretSink, SinkAccess, SinkMetadata } from '../reconcile/index.ts';

/** The permissions of the sinks of a run. */
export interface SinkPermissions {
  readonly exec: ExecPermission;
  readonly env: (name: string) => string | undefined;
  /** Absent: no sink on the network may be contacted. */
  readonly network?: Pick<NetworkPermission, 'allowed' | 'others'> & {
    /** Called only when a sink on the network is declared. */
    readonly settings: () => Promise<SinkConnectionSettings>;
  };
}

/** A program that embeds Keyplane runs no other program, reads no variable and contacts nobody because a manifest names it. */
const NO_PERMISSIONS: SinkPermissions = { exec: 'unpermitted', env: () => undefined };

/** The sinks that keys declare; undefined when they declare none: then the room is not loaded. */
export async function declaredSinks(
  { keys }: Pick<DesiredState, 'keys'>,
  permissions: SinkPermissions = NO_PERMISSIONS,
): Promise<SinkAccess | undefined> {
  const declaring = keys.filter(({ deliver }) => deliver !== undefined);
  if (declaring.length === 0) return undefined;
  const { openConnections, openSink } = await import('../delivery/index.ts');
  const { exec, env, network } = permissions;
  const hasRemote = declaring.some(({ deliver = [] }) => deliver.some(({ target }) => isRemote(target)));
  const options =
    network && hasRemote
      ? { exec, env, network: { ...network, connections: openConnections(await network.settings()) } }
      : { exec, env };
  const sinks = new Map<string, readonly SecretSink[]>();
  for (const { name, deliver = [] } of declaring) {
    sinks.set(name, [...(sinks.get(name) ?? []), ...deliver.map((declared) => openSink(declared, options))]);
  }
  const metadata = new Map<string, KeyMetadata>(declaring.map(({ name, metadata: facts = {} }) => [name, facts]));
  const metadataOf = (key: string): SinkMetadata => {
    const { owner, labels } = metadata.get(key) ?? {};
    return { key, ...(owner === undefined ? {} : { owner }), ...(labels === undefined ? {} : { labels }) };
  };
  return { of: (name) => sinks.get(name) ?? [], metadataOf };
}
