import { isSecretField, type Report } from '../../source/index.ts';
import type { SourceFile } from '../files/source-file.ts';
import { type Tree, tryFindEntry } from '../yaml/tree.ts';
import { hideTokens } from './access-token.ts';
import { type Account, accountsOf } from './account.ts';
import { type TranslatedCheck, translateCheck } from './check.ts';
import type { ModuleFolder } from './folder.ts';
import type { Instance } from './instance.ts';
import { parseJson } from './json-text.ts';
import { tellAssertions, tellOthers } from './left-out.ts';
import { type Declared, type Module, readModule } from './module.ts';
import { scopeOf } from './module-scope.ts';
import { attempt, placed, type Site } from './resolve.ts';

/** The files of one module. */
export interface ModuleSource extends ModuleFolder {
  readonly files: readonly SourceFile[];
}

/** A module with all that it makes, before names that modules share are settled. */
export interface OpenModule {
  readonly module: Module;
  readonly keys: readonly Instance[];
  readonly checks: readonly TranslatedCheck[];
  readonly accounts: readonly Account[];
  readonly firstFile: string;
  /** Where expressions stand that are of no block in particular. */
  readonly base: Site;
  readonly siteOf: (instance: Instance) => Site;
}

export interface Context {
  readonly report: Report;
  readonly now: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Other providers have secrets of their own in their blocks: no code frame shows them. */
function hideSecrets(node: Tree, report: Report): void {
  if (node.kind === 'list') for (const item of node.items) hideSecrets(item, report);
  if (node.kind !== 'map') return;
  for (const { name, node: value } of node.entries) {
    if (value.kind !== 'scalar') hideSecrets(value, report);
    else if (isSecretField(name) && typeof value.value === 'string') report.hide(value.place.file, value.range);
  }
}

function parsed(source: ModuleSource, { report }: Context): Module | undefined {
  const files = source.files.map((file) => ({ name: file.name, root: parseJson(file, report) }));
  const roots = files.flatMap(({ name, root }) => (root ? [{ name, root }] : []));
  for (const { root } of roots) hideSecrets(root, report);
  // With a file missing, every reference into it would be told as wrong.
  if (roots.length < files.length) return undefined;
  return readModule(roots, source, report);
}

/** Reads a module and works out what it makes; undefined when one of its files can not be read. */
export function openModule(source: ModuleSource, context: Context): OpenModule | undefined {
  const module = parsed(source, context);
  if (!module) return undefined;
  const { report, env } = context;
  const { places, sealed } = hideTokens(module, { scope: scopeOf({ module, env }).scope, report });
  const { scope, instances } = scopeOf({ module, env, sealed });
  const base: Site = { scope, report, hidden: places };
  const made = (declared: Declared): readonly Instance[] => {
    const site = { ...base, construct: declared.construct };
    const many = tryFindEntry(declared.body, 'for_each') ?? tryFindEntry(declared.body, 'count');
    const at = placed(many?.node.place ?? declared.at, site);
    return [...(attempt(() => instances(declared), at, site)?.all.values() ?? [])];
  };
  const siteOf = ({ scope: own, construct }: Instance): Site => ({ ...base, scope: own, construct });
  const keys = [...module.keys.values()].flatMap(made);
  const proofs = [...module.checks.values()].flatMap(made);
  const checks = proofs.flatMap((instance) => translateCheck(instance, siteOf(instance)) ?? []);
  const accountOf = accountsOf(module, base);
  const accounts = [...keys, ...proofs].flatMap((instance) => accountOf(instance, siteOf(instance)) ?? []);
  tellOthers(module, report);
  tellAssertions(module, report);
  return { module, keys, checks, accounts, firstFile: source.files[0]?.name ?? source.name, base, siteOf };
}
