import { type ExecTarget, Fault, Secret, sinkAudience, tryParseDuration } from '../../domain/index.ts';
import type { SinkOperations } from '../../reconcile/index.ts';
import { type SinkClaim, sinkClaim } from '../claims.ts';
import { matchesFingerprint } from '../fingerprint.ts';
import { hasProgram, runProgram } from './run-program.ts';

/** May programs run? `never`: a plan, which runs none; `unpermitted`: nobody allowed it for this run. */
export type ExecPermission = 'permitted' | 'unpermitted' | 'never';

export interface ExecOptions {
  readonly exec: ExecPermission;
  readonly env: (name: string) => string | undefined;
}

/** The variables that every program gets; others are named in the manifest. */
const COMMON = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'TMPDIR', 'SystemRoot', 'XDG_CONFIG_HOME'];
const DEFAULT_SECONDS = 60;

function environmentOf({ env: named = [] }: ExecTarget, env: ExecOptions['env']): Readonly<Record<string, string>> {
  const entries = [...COMMON, ...named].flatMap((name) => {
    const value = name.startsWith('KEYPLANE_') ? undefined : env(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** A program that stores the secret. Without a program that reads it back, a fingerprint of what was sent is all that is known. */
export function execSink(
  target: ExecTarget,
  { root, id, options }: { readonly root: string; readonly id: string; readonly options: ExecOptions },
): SinkOperations {
  const audience = sinkAudience(target);
  const claim = sinkClaim(root, target);
  const env = environmentOf(target, options.env);
  const timeoutMs = ((target.timeout && tryParseDuration(target.timeout)) || DEFAULT_SECONDS) * 1000;
  const nothing = new Secret('');
  const hidden = (target.env ?? []).flatMap((name) => (env[name] === undefined ? [] : [new Secret(env[name])]));
  const run = (argv: readonly string[], secret: Secret, isWrite: boolean, signal?: AbortSignal): Promise<string> =>
    runProgram({ argv, cwd: root, env, timeoutMs, secret, hidden, isWrite, signal });
  const canRead = options.exec === 'permitted' && target.read !== undefined;
  const held = async (secret: Secret, signal?: AbortSignal): Promise<string> =>
    target.read === undefined ? '' : (await run(target.read, secret, false, signal)).replace(/\r?\n$/, '');
  return {
    async probe() {
      if (options.exec === 'unpermitted') throw unpermitted(id);
      const [program = ''] = target.exec;
      if (!(await hasProgram(program, root, env.PATH ?? ''))) {
        throw new Fault('sink.refused', `There is no program ${program}.`, { hint: 'Install it, or correct `exec`.' });
      }
      return (await claim.probe()) ? 'ours' : 'absent';
    },
    async audience(secrets) {
      const known = await claim.read();
      const isKnown = known && secrets.some((each) => matchesFingerprint(each, known.fingerprint, known.audience));
      return { now: audience, ...(isKnown ? { before: known.audience } : {}) };
    },
    async compare(secret, signal) {
      if (canRead) {
        const value = await held(secret, signal);
        if (value === '') return 'absent';
        if (!secret.is(value)) return 'other';
      }
      const known = await claim.read();
      if (known === undefined) {
        if (!canRead) return 'unknown';
        // As in a fresh checkout: what the program reads is enough, and is recorded for plans, which run no program.
        await claim.record(secret).catch(() => undefined);
        return 'current';
      }
      // A run that was killed before it recorded what it stored would be drift for ever to plans, which run no program.
      return matchesFingerprint(secret, known.fingerprint, audience) ? 'current' : 'other';
    },
    async write(secret, _metadata, signal) {
      if (options.exec !== 'permitted') throw unpermitted(id);
      const store = (): Promise<unknown> => run(target.exec, secret, true, signal);
      const isStored = async (): Promise<boolean> => secret.is(await held(secret, signal).catch(() => ''));
      if (canRead) await storeAndRead({ claim, secret, store, isStored });
      else await store().then(() => claim.record(secret));
    },
    async read(signal) {
      const value = canRead ? await held(nothing, signal) : '';
      return value === '' ? undefined : new Secret(value);
    },
    // No program is declared for it: only the fingerprint ends.
    remove: () => claim.forget(),
  };
}

interface ProvenWrite {
  readonly claim: SinkClaim;
  readonly secret: Secret;
  readonly store: () => Promise<unknown>;
  readonly isStored: () => Promise<boolean>;
}

/** Records only what is read: plans, which run no program, would believe the record of another write, and the former secret would end. */
async function storeAndRead({ claim, secret, store, isStored }: ProvenWrite): Promise<void> {
  if (!(await isStored())) {
    await claim.forget();
    await store();
    if (!(await isStored())) return;
  }
  await claim.record(secret);
}

const unpermitted = (id: string): Fault =>
  new Fault('sink.not-allowed', `“${id}” would run a program, which nobody allowed for this run.`, {
    remedy: 'allow-exec',
  });
