import type { Report } from '../../source/index.ts';
import type { SourceFile } from '../files/source-file.ts';
import { type Part, readPart } from '../validate/part.ts';
import type { Entry, Tree } from '../yaml/tree.ts';
import type { Account } from './account.ts';
import { distinctAccounts } from './accounts.ts';
import type { TranslatedCheck } from './check.ts';
import { nameChecks } from './check-names.ts';
import { importedNames } from './imports.ts';
import { keyEntry } from './key.ts';
import { isKept } from './lifecycle.ts';
import { fieldsAt, scalarAt } from './nodes.ts';
import { type Context, type ModuleSource, type OpenModule, openModule } from './open-module.ts';

/** The modules that the files belong to, in the order of their first files. */
export function modulesOf(files: readonly SourceFile[]): readonly ModuleSource[] {
  const modules = new Map<string, ModuleSource>();
  for (const file of files) {
    if (!file.module) continue;
    const known = modules.get(file.module.folder);
    modules.set(file.module.folder, { ...file.module, files: [...(known?.files ?? []), file] });
  }
  return [...modules.values()];
}

/** To read nothing is not to declare nothing. */
function reportNoKeys(sources: readonly ModuleSource[], report: Report): void {
  const [file] = sources.flatMap(({ files }) => files);
  report.problem({
    code: 'manifest.missing-field',
    at: { file: file?.name ?? '', line: 1, column: 1 },
    message: 'The Terraform JSON has neither keys nor a provider of Keyplane.',
    found: sources.length === 1 ? 'other things, or nothing' : `${sources.length} modules without any`,
    expected: 'a `keyplane_api_key`',
    hint: 'Keys that stood here would count as no longer declared. Name other files if this is meant to be empty.',
  });
}

interface KeysOf {
  readonly entries: readonly Entry[];
  /** Names of those that are never to be destroyed. */
  readonly kept: readonly string[];
}

function keysOf(open: OpenModule, checks: readonly TranslatedCheck[]): KeysOf {
  const { keys, siteOf } = open;
  const imported = importedNames(open);
  const entries: Entry[] = [];
  const kept: string[] = [];
  for (const instance of keys) {
    const site = siteOf(instance);
    const own = checks.filter(({ keyAddress }) => keyAddress === instance.address).map(({ entry }) => entry.name);
    const importedAs = imported.get(instance.address);
    const entry = keyEntry(instance, { checks: own.sort(), ...(importedAs ? { importedAs } : {}) }, site);
    if (entry) entries.push(entry);
    if (isKept(instance, site) && entry) kept.push(entry.name);
  }
  return { entries, kept };
}

function partOf(
  open: OpenModule,
  checks: readonly TranslatedCheck[],
  { accounts, report, now }: Whose,
): Part | undefined {
  const { entries, kept } = keysOf(open, checks);
  const [account, another] = accounts;
  const { folder } = open.module;
  const at = { file: open.firstFile, line: 1, column: 1 };
  const section = (field: string, node: Tree): Entry => ({ name: field, at: node.place, node });
  const root = fieldsAt(at, [
    section('version', scalarAt({ place: at, range: [0, 0] }, 1)),
    ...(account && !another ? [section('gateway', account.fields)] : []),
    section('keys', fieldsAt(at, entries)),
    section(
      'checks',
      fieldsAt(
        at,
        checks.map(({ entry }) => entry),
      ),
    ),
  ]);
  const part = readPart(root, { folder, report, now });
  if (!part) return undefined;
  // Names of several accounts have nothing to do with one another, and none of them is declared.
  const declared = another ? [] : part.keys;
  // Terraform knows of no defaults of a manifest that is read beside it.
  return { ...part, kept, keys: declared.map((key) => ({ ...key, isWhole: true })) };
}

interface Whose {
  readonly accounts: readonly Account[];
  readonly report: Report;
  readonly now: number;
}

/**
 * Reads modules of Terraform, written as JSON, as parts of a manifest, without Terraform.
 *
 * What Terraform would make of them is what is declared, or it is refused at its place: nothing is guessed, and no
 * provider is asked. Rules for keys are those of every manifest.
 */
export function readModules(sources: readonly ModuleSource[], context: Context): readonly (Part | undefined)[] {
  const { report } = context;
  const modules = sources.map((source) => openModule(source, context));
  const open = modules.filter((module) => module !== undefined);
  const isEmpty = open.every(({ module }) => module.keys.size === 0 && module.providers.length === 0);
  if (sources.length > 0 && open.length === sources.length && isEmpty) reportNoKeys(sources, report);
  const named = nameChecks(open.map(({ module, checks }) => ({ of: module.name, checks })));
  const accounts = distinctAccounts(
    open.flatMap(({ accounts }) => accounts),
    report,
  );
  const parts = new Map(
    open.map((each, i) => [each, partOf(each, named[i] ?? [], { accounts, report, now: context.now })]),
  );
  return modules.map((each) => each && parts.get(each));
}
