import type { ExecPermission } from '../../delivery/index.ts';
import type { KeyMetadata } from '../../domain/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import type { SecretSink, SinkAccess, SinkMetadata } from '../../reconcile/index.ts';
import type { Context } from '../program/command.ts';
import { has } from '../program/option.ts';

/** A command that only reads runs no program: a pull request could name any. */
const execPermission = ({ command, given }: Pick<Context, 'command' | 'given'>): ExecPermission => {
  if (command.effect === 'reads') return 'never';
  return has(given, 'allow-exec') ? 'permitted' : 'unpermitted';
};

/** The sinks that a manifest declares; undefined when it declares none: then the room is not loaded. */
export async function sinksOf(
  context: Pick<Context, 'command' | 'given' | 'io'>,
  { desired }: Pick<Manifest, 'desired'>,
): Promise<SinkAccess | undefined> {
  const declaring = desired.keys.filter(({ deliver }) => deliver !== undefined);
  if (declaring.length === 0) return undefined;
  const { openSink } = await import('../../delivery/index.ts');
  const { env } = context.io;
  const options = { exec: execPermission(context), env: (name: string) => env[name] };
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
