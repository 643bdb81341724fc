import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type DesiredState, Fault, type Place } from '../../../domain/index.ts';
import type { Manifest } from '../../../manifest/index.ts';
import { countDiagnostics } from '../../output/diagnostics.ts';
import { printable, quoted } from '../../output/layout/printable.ts';
import type { Context, SourcedDiagnostics } from '../../program/command.ts';
import { text } from '../../program/option.ts';
import { manifestContext, manifestPaths } from '../manifest-input.ts';
import { isSameAddress } from '../settings.ts';
import { checkOut } from './checkout.ts';
import { findCommit } from './git.ts';

const HINT = 'Pass an earlier manifest, or a git ref such as origin/main.';

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** The parts of a context that reading a base needs. */
type Asked = Pick<Context, 'given' | 'io' | 'now' | 'print' | 'remark'>;

/** The source of the base: a path that exists, or a commit. */
type Source = { readonly path: string } | { readonly ref: string; readonly id: string };

/** `./name`, `../name` and absolute paths are never refs. */
const isOnlyPath = (named: string): boolean => /^(?:\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(named);

async function findSource(named: string, { io }: Asked): Promise<Source> {
  if (named === '' || named.startsWith('-') || /[\0\r\n]/.test(named)) {
    throw new Fault('usage.invalid', `--base ${quoted(named)} is neither a path nor a git ref.`, { hint: HINT });
  }
  const isPath = await exists(resolve(io.cwd, named));
  const commit = isOnlyPath(named) ? { trouble: '' } : await findCommit(named, io);
  if (isPath && 'id' in commit) {
    throw new Fault('usage.invalid', `--base ${quoted(named)} is both a path and a git ref.`, {
      hint: `Write ./${named} for the path, or refs/heads/${named} or the commit for the ref.`,
    });
  }
  if (isPath) return { path: named };
  if ('id' in commit) return { ref: named, ...commit };
  const why = commit.trouble === '' ? '' : `: ${printable(commit.trouble)}`;
  throw new Fault(
    'usage.invalid',
    `--base ${quoted(named)} is neither a path nor a git ref of this repository${why}.`,
    {
      hint: `${HINT} A shallow clone has only its own commit: fetch the ref first (in GitHub Actions, \`fetch-depth: 0\`).`,
    },
  );
}

/** Prefixes the names of files, so that nobody looks for the error in the working folder. */
function at(base: string, remarks: SourcedDiagnostics): SourcedDiagnostics {
  const named = (place: Place): Place => ({ ...place, file: `${base}:${place.file}` });
  return {
    diagnostics: remarks.diagnostics.map((each) => ({
      ...each,
      ...(each.place ? { place: named(each.place) } : {}),
      ...(each.related ? { related: each.related.map((one) => ({ ...one, place: named(one.place) })) } : {}),
    })),
    sources: new Map([...remarks.sources].map(([file, source]) => [`${base}:${file}`, source])),
  };
}

type DeclaredGateway = Manifest['gateway'];

/** The same name is another key in another account, so such a base must not permit its enable. */
function refuseOtherAccount(base: string, then: DeclaredGateway, now: DeclaredGateway): void {
  const differs =
    then.url !== undefined && now.url !== undefined && !isSameAddress(then.url, now.url)
      ? 'gateway.url'
      : then.userId !== undefined && now.userId !== undefined && then.userId !== now.userId
        ? 'gateway.userId'
        : undefined;
  if (differs === undefined) return;
  throw new Fault(
    'usage.invalid',
    `The manifest at --base ${quoted(base)} is for another account: its ${differs} differs.`,
    {
      hint: 'Choose a base of the same account, or omit --base for this run.',
    },
  );
}

async function read(
  context: Asked,
  base: string,
  {
    paths,
    cwd,
    account,
  }: { readonly paths: readonly string[]; readonly cwd: string; readonly account: DeclaredGateway },
): Promise<DesiredState> {
  const { readManifest } = await import('../../../manifest/index.ts');
  // What was declared before is not judged.
  const { validateCheck: _, policies: __, ...own } = await manifestContext(context);
  const reading = await readManifest(paths, { ...own, cwd });
  if (reading.manifest) {
    refuseOtherAccount(base, reading.manifest.gateway, account);
    return reading.manifest.desired;
  }
  // Warnings about an earlier manifest help nobody: only what prevents reading it is shown.
  const errors = reading.diagnostics.filter(({ severity }) => severity === 'error');
  context.remark(at(base, { ...reading, diagnostics: errors }));
  const problems = countDiagnostics(errors) ?? 'errors';
  throw new Fault('manifest.invalid', `The manifest at --base ${quoted(base)} has ${problems}.`, {
    hint: 'Nothing was sent to the gateway. Choose a base that this version of Keyplane can read.',
  });
}

/**
 * The desired state that `--base` names; undefined without that flag. A path that exists is the whole earlier manifest.
 * A git ref is the commit whose versions of the `-f` paths are read; of several paths, those that it does not have count
 * as empty.
 *
 * @param account the account of the manifest that is compared; a base of another one is refused
 * @throws Fault `usage.invalid`, `manifest.invalid`
 */
export async function readBase(context: Asked, account: DeclaredGateway = {}): Promise<DesiredState | undefined> {
  const named = text(context.given, 'base');
  if (named === undefined) return undefined;
  const source = await findSource(named, context);
  if ('path' in source) return await read(context, named, { paths: [source.path], cwd: context.io.cwd, account });
  const { cwd, env } = context.io;
  const checkout = await checkOut(manifestPaths(context), { cwd, env, ...source });
  try {
    if (checkout.missing.length > 0) {
      context.print(`${checkout.missing.map(quoted).join(', ')} did not exist at ${quoted(named)}.`);
    }
    return await read(context, named, { ...checkout, account });
  } finally {
    await checkout.remove();
  }
}
