import { blankCredentials, type Place } from '../../domain/index.ts';
import { quoted, type Report } from '../../source/index.ts';
import type { ModuleFolder } from '../files/folder.ts';
import type { JsonMember, JsonNode, JsonObjectNode } from '../json/node.ts';
import { type Block, blocksIn, constructOf, membersOf } from './block.ts';
import { checkProviderSource, PROVIDER, providerName } from './provider.ts';

/** A resource or a data source, as a block declares it. */
export interface DeclaredBlock extends Block {
  /** `keyplane_api_key.app`, `data.keyplane_check.pong`. */
  readonly address: string;
  readonly name: string;
  /** The path of its construct, or else its address. */
  readonly construct: string;
}

/** The declarations of all files of one module. */
class Declarations {
  readonly keys = new Map<string, DeclaredBlock>();
  readonly checks = new Map<string, DeclaredBlock>();
  readonly locals = new Map<string, JsonMember>();
  readonly variables = new Map<string, Block>();
  readonly providers: Block[] = [];
  readonly imports: Block[] = [];
  readonly assertions: Block[] = [];
  /** Blocks without effect here; the first label is their type. */
  readonly others: Block[] = [];
  readonly report: Report;
  readonly #providersByName = new Map<string, Block>();
  constructor(report: Report) {
    this.report = report;
  }

  reportTwice(what: string, first: Place, second: Place): void {
    this.report.problem({
      code: 'manifest.syntax',
      at: second,
      message: `${quoted(what)} is declared twice in one module.`,
      found: quoted(what),
      expected: 'one declaration in a module',
      hint: 'Keep one of the two.',
      related: [{ place: first, message: 'first declaration' }],
    });
  }

  add<T extends { readonly at: Place }>(to: Map<string, T>, name: string, declared: T): void {
    const first = to.get(name);
    if (first) this.reportTwice(name, first.at, declared.at);
    else to.set(name, declared);
  }

  addProvider(block: Block): void {
    const name = providerName(block);
    const first = this.#providersByName.get(name);
    if (first) this.reportTwice(`provider.${name}`, first.at, block.at);
    else {
      this.#providersByName.set(name, block);
      this.providers.push(block);
    }
  }

  /** Adds a block with two labels. @param prefix `data.`, or empty for a resource */
  addLabelled(block: Block, prefix: string): void {
    const [type = '', name = ''] = block.labels;
    const address = `${prefix}${type}.${name}`;
    const declared = { ...block, address, name, construct: blankCredentials(constructOf(block.body) ?? address) };
    if (prefix === '' && type === 'keyplane_api_key') this.add(this.keys, address, declared);
    else if (prefix === 'data.' && type === 'keyplane_check') this.add(this.checks, address, declared);
    else this.others.push({ ...block, labels: [`${prefix}${type}`] });
  }
}

/** One module of Terraform. Its name is that of its stack, else of its folder. */
export interface Module extends ModuleFolder, Omit<Declarations, 'report' | 'reportTwice' | `add${string}`> {}

const NO_MODULES =
  'Move the keys of the module into this one, or leave them to Terraform: Keyplane does not read modules.';

function refuseBlock({ name, at }: JsonMember, report: Report): void {
  report.problem({
    code: 'terraform.not-supported',
    at,
    message: `Keyplane does not read \`${name}\` blocks: their keys would be missing.`,
    found: `\`${name}\``,
    expected: 'resources, data sources, locals, variables and providers of this module itself',
    hint: name === 'module' ? NO_MODULES : 'Remove it, or leave this to Terraform.',
  });
}

type Add = (member: JsonMember, to: Declarations) => void;

const labelled =
  (prefix: string): Add =>
  ({ node }, to) => {
    for (const block of blocksIn(node, 2, to.report)) to.addLabelled(block, prefix);
  };

const ignored: Add = () => undefined;

const SECTIONS: Readonly<Record<string, Add>> = {
  resource: labelled(''),
  data: labelled('data.'),
  ephemeral: labelled('ephemeral.'),
  action: labelled('action.'),
  removed: ({ name, node, at }, to) => {
    to.others.push(...blocksIn(node, 0, to.report).map((block) => ({ ...block, labels: [name], at })));
  },
  locals: ({ node }, to) => {
    const members = blocksIn(node, 0, to.report).flatMap(({ body }) => membersOf(body));
    for (const member of members) to.add(to.locals, member.name, member);
  },
  variable: ({ node }, to) => {
    for (const block of blocksIn(node, 1, to.report)) to.add(to.variables, block.labels[0] ?? '', block);
  },
  provider: ({ node }, to) => {
    for (const block of blocksIn(node, 1, to.report)) if (block.labels[0] === PROVIDER) to.addProvider(block);
  },
  terraform: ({ node }, to) => {
    for (const block of blocksIn(node, 0, to.report)) checkProviderSource(block, to.report);
  },
  import: ({ node }, to) => {
    to.imports.push(...blocksIn(node, 0, to.report).map((block) => ({ ...block, at: block.body.place })));
  },
  check: ({ node }, to) => {
    to.assertions.push(...blocksIn(node, 1, to.report));
  },
  output: ignored,
  moved: ignored,
};

function readRoot(root: JsonObjectNode, to: Declarations): void {
  for (const member of membersOf(root)) {
    const add = Object.hasOwn(SECTIONS, member.name) ? SECTIONS[member.name] : undefined;
    if (add) add(member, to);
    else refuseBlock(member, to.report);
  }
}

/** Reads what the files of one module declare together. */
export function readModule(
  roots: readonly JsonNode[],
  { name, folder, variableFiles }: ModuleFolder,
  report: Report,
): Module {
  const declarations = new Declarations(report);
  for (const root of roots) {
    for (const block of blocksIn(root, 0, report)) readRoot(block.body, declarations);
  }
  return { ...declarations, name, folder, variableFiles };
}
