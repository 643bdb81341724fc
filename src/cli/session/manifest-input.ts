import { access, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Fault, type Guardrails } from '../../domain/index.ts';
import type { Manifest, ManifestContext } from '../../manifest/index.ts';
import { countDiagnostics } from '../output/diagnostics.ts';
import type { Context } from '../program/command.ts';
import { has, texts } from '../program/option.ts';
import { limitHeapGrowth } from './heap-growth.ts';
import { CREDENTIAL_VARIABLES, knownSecrets } from './settings.ts';
import { variable } from './variables.ts';

export const DEFAULT_MANIFEST = 'keyplane.yaml';

/** The manifests that the command line names. */
export function manifestPaths(context: Pick<Context, 'given'>): readonly string[] {
  const named = texts(context.given, 'file');
  return named.length > 0 ? named : [DEFAULT_MANIFEST];
}

/** Returns true for a path that is probably meant for -f: a folder, or a file with the name of a manifest. */
export async function looksLikeManifest(path: string, cwd: string): Promise<boolean> {
  const found = await stat(resolve(cwd, path)).catch(() => undefined);
  return found?.isDirectory() === true || /\.(?:tf\.json|ya?ml)$/.test(path);
}

function invalid(problems: string | undefined): Fault {
  return new Fault('manifest.invalid', `The manifest has ${problems ?? 'errors'}.`, {
    hint: 'Nothing was sent to the gateway. `keyplane validate` repeats this check without a gateway.',
  });
}

/**
 * The manifest; its diagnostics are shown.
 *
 * @throws Fault `manifest.invalid`
 */
export const readManifestOf = (context: Context): Promise<Manifest> => read(context, 'always');

async function read(context: Context, shows: 'always' | 'when-wrong'): Promise<Manifest> {
  const { readManifest } = await import('../../manifest/index.ts');
  const reading = await readManifest(manifestPaths(context), await manifestContext(context));
  context.remark(reading, reading.manifest && shows === 'when-wrong' ? 'silent' : 'shown');
  if (reading.manifest) return reading.manifest;
  throw invalid(countDiagnostics(reading.diagnostics));
}

/** The files of policies that the manifest cannot weaken: a flag adds to those of the environment. */
const policyPaths = ({ given, io }: Pick<Context, 'given' | 'io'>): readonly string[] => [
  ...(variable(io.env, 'KEYPLANE_POLICY') ?? '').split(',').flatMap((path) => path.trim() || []),
  ...texts(given, 'policy'),
];

/** The names that a manifest may refer to: a manifest from a stranger must not choose them. */
function allowedVariables({ given, io }: Pick<Context, 'given' | 'io'>): readonly string[] {
  const listed = (variable(io.env, 'KEYPLANE_MANIFEST_ENV') ?? '').split(',').map((name) => name.trim());
  const names = [...listed.filter((name) => name !== ''), ...texts(given, 'env')];
  const credential = names.find((name) => CREDENTIAL_VARIABLES.some((each) => each === name));
  const malformed = names.some((name) => !/^[^\s=,]+$/.test(name));
  if (credential === undefined && !malformed) return names;
  throw new Fault(
    'usage.invalid',
    credential === undefined
      ? 'Invalid value for --env or KEYPLANE_MANIFEST_ENV: expected names of variables.'
      : `A manifest must not refer to ${credential}: it holds a credential.`,
    { hint: 'Name the variables only: --env TEAM --env REGION, or KEYPLANE_MANIFEST_ENV=TEAM,REGION.' },
  );
}

/**
 * The context that a manifest is read in: the variables that it may refer to, and the secrets that it must not contain.
 *
 * @throws Fault `usage.invalid`
 */
export async function manifestContext({
  given,
  io,
  now,
}: Pick<Context, 'given' | 'io' | 'now'>): Promise<ManifestContext> {
  const { env, cwd } = io;
  const variables = allowedVariables({ given, io });
  const secrets = await knownSecrets({ env, cwd });
  const policies = policyPaths({ given, io });
  const untrusted = has(given, 'untrusted');
  const beforeParsing = (characters: number): Promise<void> => limitHeapGrowth(characters, process.versions);
  return { env, cwd, policies, now: now(), variables, untrusted, secrets, validateCheck, beforeParsing };
}

/** The policies of the command line, for a run without a manifest. @throws Fault `manifest.invalid` */
export async function readPoliciesOf(context: Context): Promise<readonly Guardrails[]> {
  const { readPolicies } = await import('../../manifest/index.ts');
  const { policies, ...reading } = await readPolicies(policyPaths(context), {
    cwd: context.io.cwd,
    now: context.now(),
  });
  context.remark(reading);
  if (policies) return policies;
  throw new Fault('manifest.invalid', `The policy has ${countDiagnostics(reading.diagnostics) ?? 'errors'}.`, {
    hint: 'Nothing was sent to the gateway.',
  });
}

/** Loaded only for manifests that define checks: it brings the readers of pictures and sound with it. */
const validateCheck: NonNullable<ManifestContext['validateCheck']> = async (spec, declared) =>
  (await import('../../checks/index.ts')).validateCheck(spec, declared);

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Returns true for a default manifest without a byte: a shell makes one for `keyplane import > keyplane.yaml`. */
export const isDefaultManifestEmpty = async ({ given, io }: Context): Promise<boolean> =>
  texts(given, 'file').length === 0 &&
  (await stat(resolve(io.cwd, DEFAULT_MANIFEST)).then(
    ({ size }) => size === 0,
    () => false,
  ));

interface LenientReading {
  readonly manifest: Manifest | undefined;
  /** The reason why the manifest is ignored. */
  readonly invalid?: Fault;
}

/**
 * The same for commands that must work in an emergency: a manifest with errors is reported and ignored, and flags or the
 * environment name the gateway.
 */
export async function tryReadManifestLeniently(context: Context): Promise<LenientReading> {
  try {
    return { manifest: await tryReadManifestOf(context) };
  } catch (thrown) {
    if (!(thrown instanceof Fault) || thrown.code !== 'manifest.invalid') throw thrown;
    context.print(`${thrown.message} It is ignored: its gateway and its protected keys are unknown.`);
    return { manifest: undefined, invalid: thrown };
  }
}

/** Returns true when a manifest is named, or the default one exists. */
export const hasManifest = async ({ given, io }: Context): Promise<boolean> =>
  texts(given, 'file').length > 0 || (await exists(resolve(io.cwd, DEFAULT_MANIFEST)));

/**
 * The manifest for commands that need only its gateway: not read when flags name the gateway, and it may be missing.
 *
 * @throws Fault `manifest.invalid` when there is one and it is wrong: the account must not be guessed.
 */
export async function tryReadManifestOf(context: Context): Promise<Manifest | undefined> {
  const named = texts(context.given, 'file').length > 0;
  if (!named && has(context.given, 'url') && has(context.given, 'user-id')) return undefined;
  if (!(await hasManifest(context))) return undefined;
  // Warnings about single keys matter only to commands that use its keys.
  return await read(context, 'when-wrong');
}
