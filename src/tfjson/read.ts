import type { Place, UnixSeconds } from '../domain/index.ts';
import { isSecretField, type Report } from '../source/index.ts';
import { readCheck, type TerraformCheck } from './checks/check.ts';
import { shortened } from './checks/name.ts';
import type { ModuleFolder } from './files/folder.ts';
import { parseJsonFile } from './json/file.ts';
import { type JsonNode, tryFindMember, valuesIn } from './json/node.ts';
import { readKey, type TerraformKey } from './keys/key.ts';
import { hideTokens } from './module/access-token.ts';
import { type Account, accountFinder, distinctAccounts } from './module/account.ts';
import { reportConditions, reportIgnored } from './module/ignored.ts';
import { importedKeys } from './module/imports.ts';
import type { Instance } from './module/instance.ts';
import { preventsDestroy } from './module/lifecycle.ts';
import { type DeclaredBlock, type Module, readModule } from './module/module.ts';
import { attempt, type Resolver, within } from './module/resolve.ts';
import { scopeOf } from './module/scope.ts';
import type { Env } from './module/variable.ts';

/** The text of one file of a module. */
interface ModuleText {
  readonly name: string;
  readonly text: string;
}

/** One module with the texts of its files. */
export interface ModuleSource extends ModuleFolder {
  readonly files: readonly ModuleText[];
}

export interface TerraformContext {
  readonly report: Report;
  readonly env: Env;
  readonly now: UnixSeconds;
}

/** A key with the names of the checks that prove it. */
export interface DeclaredTerraformKey extends TerraformKey {
  readonly checks: readonly string[];
  readonly preventsDestroy: boolean;
}

/** The declarations of one module. */
export interface TerraformModule {
  readonly folder: string;
  /** Absent: the environment determines it. Several accounts are reported, and none is here. */
  readonly account?: Account;
  /** Empty as well when there are several accounts: equal names of two accounts do not conflict. */
  readonly keys: readonly DeclaredTerraformKey[];
  readonly checks: readonly TerraformCheck[];
}

/** Hides the secrets of other providers and resources from every code frame. */
function hideSecrets(root: JsonNode, report: Report): void {
  for (const [node, name] of valuesIn(root)) {
    if (node.kind === 'string' && isSecretField(name)) report.hide(node.place.file, node.range);
  }
}

function parseModule(source: ModuleSource, report: Report): Module | undefined {
  const roots = source.files.flatMap((file) => parseJsonFile(file, report) ?? []);
  for (const root of roots) hideSecrets(root, report);
  // Without one of its files, every reference into it would be reported as wrong.
  return roots.length < source.files.length ? undefined : readModule(roots, source, report);
}

/** A module whose instances are known, before names that several modules share are settled. */
interface Expanded {
  readonly module: Module;
  readonly keys: readonly Instance[];
  readonly checks: readonly TerraformCheck[];
  readonly accounts: readonly Account[];
  readonly resolver: Resolver;
}

const resolverOf = (base: Resolver, { scope, construct }: Instance): Resolver => within(base, construct, scope);

function expand(module: Module, { report, env }: TerraformContext): Expanded {
  const { hidden, tokenNames } = hideTokens(module, { scope: scopeOf({ module, env }).scope, report });
  const { scope, instances } = scopeOf({ module, env, tokenNames });
  const resolver: Resolver = { scope, report, hidden };
  const instancesOf = (declared: DeclaredBlock): readonly Instance[] => {
    const repeated = tryFindMember(declared.body, 'for_each') ?? tryFindMember(declared.body, 'count');
    const own = within(resolver, declared.construct);
    const result = attempt(() => instances(declared), repeated?.node.place ?? declared.at, own);
    return [...(result?.all.values() ?? [])];
  };
  const keys = [...module.keys.values()].flatMap(instancesOf);
  const checks = [...module.checks.values()].flatMap(instancesOf);
  const accountOf = accountFinder(module, resolver);
  const found = {
    checks: checks.flatMap((each) => readCheck(each, module.folder, resolverOf(resolver, each)) ?? []),
    accounts: [...keys, ...checks].flatMap((each) => accountOf(each, resolverOf(resolver, each)) ?? []),
  };
  reportIgnored(module, report);
  reportConditions(module, report);
  return { module, keys, resolver, ...found };
}

const stackOf = ({ name }: Module): string => name.split(/[\\/]/).at(-1) ?? name;

/** Puts the stack before names that several modules use, unless a person or a construct chose the name. */
function withUniqueNames(modules: readonly Expanded[]): readonly (readonly TerraformCheck[])[] {
  const uses = modules.flatMap(({ checks }) => [...new Set(checks.map(({ spec }) => spec.name))]);
  const isShared = (name: string): boolean => uses.filter((use) => use === name).length > 1;
  return modules.map(({ module, checks }) =>
    checks.map((check) => {
      const { spec, isNamed } = check;
      if (isNamed || !isShared(spec.name)) return check;
      return { ...check, spec: { ...spec, name: shortened(`${stackOf(module)}-${spec.name}`) } };
    }),
  );
}

function keysOf(
  { module, keys, resolver }: Expanded,
  checks: readonly TerraformCheck[],
  now: UnixSeconds,
): readonly DeclaredTerraformKey[] {
  const imported = importedKeys(module.imports, resolver);
  return keys.flatMap((instance) => {
    const own = resolverOf(resolver, instance);
    const names = checks.filter(({ keyAddress }) => keyAddress === instance.address).map(({ spec }) => spec.name);
    const isProtected = preventsDestroy(instance, own);
    const read = readKey(instance, { importedAs: imported.get(instance.address), now }, own);
    return read ? [{ ...read, checks: names.sort(), preventsDestroy: isProtected }] : [];
  });
}

/** Reports modules without keys: more likely a mistake than the intention to declare none. */
function reportNoKeys(sources: readonly ModuleSource[], report: Report): void {
  const [file] = sources.flatMap(({ files }) => files);
  const at: Place = { file: file?.name ?? '', line: 1, column: 1 };
  report.problem({
    code: 'manifest.missing-field',
    at,
    message: 'The Terraform JSON has neither keys nor a provider of Keyplane.',
    found: sources.length === 1 ? 'a module without any' : `${sources.length} modules without any`,
    expected: 'a `keyplane_api_key`',
    hint: 'Pass other files if this one should be empty. Keys that were declared here would count as removed.',
  });
}

/**
 * Reads modules of Terraform JSON without Terraform.
 *
 * A value is evaluated exactly as Terraform does, or refused at its place; no provider is asked. Whatever is wrong is
 * reported.
 *
 * @returns a module for each source; undefined where a file is not JSON
 */
export function readModules(
  sources: readonly ModuleSource[],
  context: TerraformContext,
): readonly (TerraformModule | undefined)[] {
  const { report, now } = context;
  const modules = sources.map((source) => parseModule(source, report));
  const parsed = modules.filter((module) => module !== undefined);
  const isEmpty = parsed.every(({ keys, providers }) => keys.size === 0 && providers.length === 0);
  if (sources.length > 0 && parsed.length === sources.length && isEmpty) reportNoKeys(sources, report);
  const expanded = parsed.map((module) => expand(module, context));
  const checks = withUniqueNames(expanded);
  const [account, second] = distinctAccounts(
    expanded.flatMap(({ accounts }) => accounts),
    report,
  );
  const read = expanded.map((each, i): readonly [Module, TerraformModule] => {
    const keys = keysOf(each, checks[i] ?? [], now);
    return [
      each.module,
      {
        folder: each.module.folder,
        ...(account && !second ? { account } : {}),
        keys: second ? [] : keys,
        checks: checks[i] ?? [],
      },
    ];
  });
  const byModule = new Map(read);
  return modules.map((module) => module && byModule.get(module));
}
