import { blankCredentials } from '../../domain/index.ts';
import { quoted, type Report } from '../../source/index.ts';
import type { Entry, Fields, Tree } from '../yaml/tree.ts';
import { type Block, blocksIn, constructOf, entriesOf } from './block.ts';
import { checkSource, PROVIDER, providerName } from './provider-block.ts';

/** One file of a module. */
export interface ModuleFile {
  readonly name: string;
  readonly root: Tree;
}

/** A resource or a data source, as it is declared. */
export interface Declared extends Block {
  /** `keyplane_api_key.app`, `data.keyplane_check.pong`. */
  readonly address: string;
  readonly name: string;
  /** The path of its construct, or else its address. */
  readonly construct: string;
}

/** One module of Terraform: what its files declare together. */
export interface Module {
  /** What a person calls it: the name of its stack, else of its folder. */
  readonly name: string;
  readonly folder: string;
  /** Files that give variables other values than their defaults. */
  readonly variableFiles: readonly string[];
  readonly keys: ReadonlyMap<string, Declared>;
  readonly checks: ReadonlyMap<string, Declared>;
  readonly locals: ReadonlyMap<string, Entry>;
  readonly variables: ReadonlyMap<string, Block>;
  readonly providers: readonly Block[];
  readonly imports: readonly Block[];
  readonly assertions: readonly Block[];
  /** What is left to Terraform: what to call it, and where it stands. */
  readonly others: readonly Block[];
}

type Members = {
  -readonly [F in 'providers' | 'imports' | 'assertions' | 'others']: Block[];
} & {
  readonly keys: Map<string, Declared>;
  readonly checks: Map<string, Declared>;
  readonly locals: Map<string, Entry>;
  readonly variables: Map<string, Block>;
};

const TWICE = { expected: 'each once in a module', hint: 'Keep one of the two.' } as const;

function reportTwice(
  what: string,
  [first, second]: readonly [Pick<Block, 'at'>, Pick<Block, 'at'>],
  report: Report,
): void {
  report.problem({
    code: 'manifest.syntax',
    at: second.at,
    message: `${quoted(what)} is declared twice in one module.`,
    found: quoted(what),
    ...TWICE,
    related: [{ place: first.at, message: 'the first one' }],
  });
}

function put<T extends Pick<Block, 'at'>>(
  into: Map<string, T>,
  [name, what]: readonly [string, T],
  report: Report,
): void {
  const first = into.get(name);
  if (first) reportTwice(name, [first, what], report);
  else into.set(name, what);
}

function declared(block: Block, prefix: string): Declared {
  const [type = '', name = ''] = block.labels;
  const address = `${prefix}${type}.${name}`;
  return { ...block, address, name, construct: blankCredentials(constructOf(block.body) ?? address) };
}

const NO_MODULES = 'Put the keys of the module into this one, or leave them to Terraform: modules are not read.';

function refuse({ name, at }: Entry, report: Report): void {
  report.problem({
    code: 'terraform.not-supported',
    at,
    message: `A \`${name}\` block is not read: keys that it makes would be missing.`,
    found: `\`${name}\``,
    expected: 'resources, data, locals, variables and providers of this module itself',
    hint: name === 'module' ? NO_MODULES : 'Take it out, or leave this to Terraform.',
  });
}

/** Known by Terraform, and without any effect here. */
const WITHOUT_EFFECT: readonly string[] = ['output', 'moved'];

type Take = (entry: Entry, members: Members, report: Report) => void;

const labelled =
  (kind: string, prefix: string): Take =>
  ({ node }, members, report) => {
    for (const block of blocksIn(node, 2, report)) {
      const { labels } = block;
      const one = declared(block, prefix);
      if (kind === 'resource' && labels[0] === 'keyplane_api_key') put(members.keys, [one.address, one], report);
      else if (kind === 'data' && labels[0] === 'keyplane_check') put(members.checks, [one.address, one], report);
      else members.others.push({ ...block, labels: [`${prefix}${labels[0]}`] });
    }
  };

const others: Take = ({ name, node, at }, members, report) => {
  members.others.push(...blocksIn(node, 0, report).map((block) => ({ ...block, labels: [name], at })));
};

const TAKES: Readonly<Record<string, Take>> = {
  resource: labelled('resource', ''),
  data: labelled('data', 'data.'),
  ephemeral: labelled('ephemeral', 'ephemeral.'),
  action: labelled('action', 'action.'),
  removed: others,
  locals: ({ node }, { locals }, report) => {
    const entries = blocksIn(node, 0, report).flatMap(({ body }) => entriesOf(body));
    for (const entry of entries) put(locals, [entry.name, entry], report);
  },
  variable: ({ node }, { variables }, report) => {
    for (const block of blocksIn(node, 1, report)) put(variables, [block.labels[0] ?? '', block], report);
  },
  provider: ({ node }, { providers }, report) => {
    for (const block of blocksIn(node, 1, report).filter(({ labels }) => labels[0] === PROVIDER)) {
      const name = providerName(block);
      const first = providers.find((each) => providerName(each) === name);
      if (first) reportTwice(`provider.${name}`, [first, block], report);
      else providers.push(block);
    }
  },
  terraform: ({ node }, _, report) => {
    for (const block of blocksIn(node, 0, report)) checkSource(block, report);
  },
  import: ({ node, at }, { imports }, report) => {
    imports.push(...blocksIn(node, 0, report).map((block) => ({ ...block, at: block.body.place ?? at })));
  },
  check: ({ node }, { assertions }, report) => {
    assertions.push(...blocksIn(node, 1, report));
  },
};

function takeRoot(root: Fields, members: Members, report: Report): void {
  for (const entry of entriesOf(root)) {
    const take = Object.hasOwn(TAKES, entry.name) ? TAKES[entry.name] : undefined;
    if (take) take(entry, members, report);
    else if (!WITHOUT_EFFECT.includes(entry.name)) refuse(entry, report);
  }
}

/** What the files of one module declare. */
export function readModule(
  files: readonly ModuleFile[],
  about: Pick<Module, 'name' | 'folder' | 'variableFiles'>,
  report: Report,
): Module {
  const members: Members = {
    keys: new Map(),
    checks: new Map(),
    locals: new Map(),
    variables: new Map(),
    providers: [],
    imports: [],
    assertions: [],
    others: [],
  };
  for (const { root } of files) {
    for (const block of blocksIn(root, 0, report)) takeRoot(block.body, members, report);
  }
  return { ...about, ...members };
}
