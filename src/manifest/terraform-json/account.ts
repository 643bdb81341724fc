import { reportUnknown } from '../../source/index.ts';
import { type Entry, type Fields, found, type Tree, tryFindEntry } from '../yaml/tree.ts';
import { type Block, constructOf, entriesOf } from './block.ts';
import type { Instance } from './instance.ts';
import type { Module } from './module.ts';
import { isNothing } from './nodes.ts';
import { aliasOf } from './provider-block.ts';
import { placed, resolve, type Site } from './resolve.ts';

/** The account that a provider is for, as far as it says so; the environment says the rest. */
export interface Account {
  /** `stacks/prod`, or which alias of it. */
  readonly of: string;
  readonly fields: Fields;
}

const GATEWAY: Readonly<Record<string, string>> = { url: 'url', user_id: 'userId' };

/** What else a provider can be told, and the flag that says it here. */
const FLAGS: Readonly<Record<string, string>> = {
  ca_file: '--ca-file',
  timeout: '--timeout',
  max_concurrency: '--concurrency',
  max_log_pages: '--max-log-pages',
  allow_unknown_groups: '--allow-unknown-groups',
  allow_unknown_models: '--allow-unknown-models',
};

const META: readonly string[] = ['alias', 'access_token', 'version'];

const textOf = (node: Tree | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;

function tellFlags(settings: readonly Entry[], site: Site): void {
  const [first] = settings;
  if (!first) return;
  const flags = settings.map(({ name }) => `\`${FLAGS[name]}\``).join(', ');
  site.report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at: placed(first.at, site),
    message: 'Settings of the provider have no effect here.',
    found: settings.map(({ name }) => `\`${name}\``).join(', '),
    expected: `the flag${settings.length > 1 ? 's' : ''} ${flags} where it is meant`,
    hint: 'How the gateway is spoken to, and what a plan may do, is said with each command.',
  });
}

function accountOf(block: Block, module: Module, site: Site): Account {
  const { body, at } = block;
  const entries = entriesOf(body).filter(({ node }) => !isNothing(node));
  tellFlags(
    entries.filter(({ name }) => Object.hasOwn(FLAGS, name)),
    site,
  );
  const known = [...Object.keys(GATEWAY), ...Object.keys(FLAGS), ...META];
  for (const { name, at: place } of entries.filter((entry) => !known.includes(entry.name))) {
    reportUnknown(site.report, { name, at: placed(place, site) }, { known });
  }
  const fields = entries.flatMap((entry) => {
    const name = Object.hasOwn(GATEWAY, entry.name) ? GATEWAY[entry.name] : undefined;
    if (name === undefined) return [];
    const node = resolve(entry.node, site);
    return isNothing(node) ? [] : [{ name, at: placed(entry.at, site), node }];
  });
  const alias = aliasOf(block);
  const of = alias === undefined ? module.name : `${module.name} (keyplane.${alias})`;
  return { of, fields: { ...body, entries: fields, place: placed(at, site) } };
}

function reportNoProvider(name: string, node: Tree, site: Site): void {
  site.report.problem({
    code: 'terraform.unresolved',
    at: placed(node.place, site),
    message: `There is no provider \`${name}\` of Keyplane in this module.`,
    found: found(node),
    expected: '`keyplane`, or `keyplane.ALIAS`',
    hint: 'Without it, it can not be told whose key this is.',
  });
}

/** Finds the accounts of resources; each provider is read once, and only where something uses it. */
export function accountsOf(module: Module, base: Site): (instance: Instance, site: Site) => Account | undefined {
  const read = new Map<string, Account>();
  const nowhere = (): Account => {
    const at = { file: module.folder, line: 1, column: 1 };
    const fields: Fields = { kind: 'map', entries: [], place: at, range: [0, 0], size: 1, broken: false };
    return { of: module.name, fields };
  };
  return (instance, site) => {
    const entry = tryFindEntry(instance.declared.body, 'provider');
    const written = (textOf(entry?.node) ?? 'keyplane').replace(/^\$\{(.*)\}$/, '$1');
    const [local, alias] = written.split('.');
    const block = module.providers.find((each) => aliasOf(each) === alias);
    const isImplied = local === 'keyplane' && alias === undefined;
    if (entry && (local !== 'keyplane' || (!block && !isImplied))) {
      reportNoProvider(written, entry.node, site);
      return undefined;
    }
    const known = read.get(written);
    if (known) return known;
    const construct = block && constructOf(block.body);
    const account = block
      ? accountOf(block, module, construct === undefined ? base : { ...base, construct })
      : nowhere();
    read.set(written, account);
    return account;
  };
}
