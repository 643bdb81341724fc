import type { ExecPermission, SinkConnectionSettings } from '../../delivery/index.ts';
import { declaredSinks } from '../../library/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import type { SinkAccess } from '../../reconcile/index.ts';
import type { Context } from '../program/command.ts';
import { has } from '../program/option.ts';
import { connectionSettings } from './settings.ts';
import { variable } from './variables.ts';

/** A command that only reads runs no program: a pull request could name any. */
const execPermission = ({ command, given }: Pick<Context, 'command' | 'given'>): ExecPermission => {
  if (command.effect === 'reads') return 'never';
  return has(given, 'allow-exec') ? 'permitted' : 'unpermitted';
};

/** The places on the network that this run may contact: none, unless somebody outside the manifest has named them. */
const allowedSinks = (env: Context['io']['env']): readonly string[] =>
  (variable(env, 'KEYPLANE_ALLOWED_SINKS') ?? '').split(/[\s,]+/).filter((pattern) => pattern !== '');

async function sinkConnection(
  { given, io: { env, cwd }, interruption }: SinkContext,
  { gateway: manifest }: Pick<Manifest, 'gateway'>,
): Promise<SinkConnectionSettings> {
  const { ca, proxy, timeoutMs } = await connectionSettings({ given, env, cwd, manifest });
  return {
    proxy,
    signal: interruption.signal,
    ...(ca === undefined ? {} : { ca }),
    ...(timeoutMs === undefined ? {} : { timeouts: { headersMs: timeoutMs, bodyMs: timeoutMs, totalMs: timeoutMs } }),
  };
}

type SinkContext = Pick<Context, 'command' | 'given' | 'io' | 'interruption'>;

/** The sinks that a manifest declares, with what flags and environment permit them. */
export function sinksOf(
  context: SinkContext,
  manifest: Pick<Manifest, 'desired' | 'gateway'>,
): Promise<SinkAccess | undefined> {
  const { env } = context.io;
  return declaredSinks(manifest.desired, {
    exec: execPermission(context),
    env: (name) => env[name],
    network: {
      allowed: allowedSinks(env),
      others: context.command.effect === 'reads' ? 'withheld' : 'refused',
      settings: () => sinkConnection(context, manifest),
    },
  });
}
