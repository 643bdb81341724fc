import type { ExecPermission } from '../../delivery/index.ts';
import { declaredSinks } from '../../library/index.ts';
import type { Manifest } from '../../manifest/index.ts';
import type { SinkAccess } from '../../reconcile/index.ts';
import type { Context } from '../program/command.ts';
import { has } from '../program/option.ts';

/** A command that only reads runs no program: a pull request could name any. */
const execPermission = ({ command, given }: Pick<Context, 'command' | 'given'>): ExecPermission => {
  if (command.effect === 'reads') return 'never';
  return has(given, 'allow-exec') ? 'permitted' : 'unpermitted';
};

/** The sinks that a manifest declares, with what flags and environment permit them. */
export function sinksOf(
  context: Pick<Context, 'command' | 'given' | 'io'>,
  { desired }: Pick<Manifest, 'desired'>,
): Promise<SinkAccess | undefined> {
  const { env } = context.io;
  return declaredSinks(desired, { exec: execPermission(context), env: (name) => env[name] });
}
