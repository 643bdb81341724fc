import type { Report } from '../problem.ts';
import { type Tree, tryFindEntry } from '../tree.ts';
import type { Block } from './block.ts';
import type { Key } from './evaluate.ts';
import type { Expression } from './expression.ts';
import type { Module } from './module.ts';
import { parseAddress } from './parse.ts';
import { Refused } from './refused.ts';

const BY_NAME = /^name=(.+)$/s;

const textOf = (node: Tree | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;

/** An address without expressions in it, as it is written: `keyplane_api_key.many["x"]`. */
function addressOf(expression: Expression): string | undefined {
  if (expression.kind !== 'reference') return undefined;
  return expression.steps.reduce<string | undefined>((address, step) => {
    if (address === undefined || 'name' in step)
      return address && 'name' in step ? `${address}.${step.name}` : undefined;
    const key: Key | undefined = step.index.kind === 'literal' ? step.index.value : undefined;
    if (typeof key === 'string') return `${address}[${JSON.stringify(key)}]`;
    return key !== null && typeof key === 'object' && key.kind === 'number'
      ? `${address}[${key.exact.digits}]`
      : undefined;
  }, expression.root);
}

function tryReadAddress(node: Tree | undefined): string | undefined {
  try {
    return addressOf(parseAddress(textOf(node) ?? ''));
  } catch (thrown) {
    if (thrown instanceof Refused) return undefined;
    throw thrown;
  }
}

interface Import {
  readonly to: string;
  readonly id: Tree;
  readonly name: string;
}

function tryReadImport({ body }: Block): Import | undefined {
  const to = tryReadAddress(tryFindEntry(body, 'to')?.node);
  const id = tryFindEntry(body, 'id')?.node;
  const name = BY_NAME.exec(textOf(id) ?? '')?.[1];
  if (to === undefined || id === undefined || name === undefined || /[$%]\{/.test(name)) return undefined;
  return { to, id: { ...id, value: name } as Tree, name };
}

const isOfKey = ({ body }: Block): boolean =>
  /^(\$\{)?\s*keyplane_api_key\./.test(textOf(tryFindEntry(body, 'to')?.node) ?? '');

function tellImports(blocks: readonly Block[], report: Report): void {
  const [first] = blocks;
  if (!first) return;
  report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at: first.body.place,
    message: 'Imports by id have no effect here: Keyplane finds keys by their names.',
    found: `${blocks.length === 1 ? 'an import' : `${blocks.length} imports`} without \`name=\``,
    expected: '`id = "name=…"`, with the name that the key has',
    hint: 'A key whose live name is the declared one is found anyway.',
  });
}

/** The names that imports say keys have now, by the addresses of the keys. */
export function importedNames({ imports }: Module, report: Report): ReadonlyMap<string, Tree> {
  const ofKeys = imports.filter(isOfKey);
  const read = ofKeys.map((block) => [block, tryReadImport(block)] as const);
  tellImports(
    read.filter(([, one]) => one === undefined).map(([block]) => block),
    report,
  );
  return new Map(read.flatMap(([, one]) => (one ? [[one.to, one.id] as const] : [])));
}
