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

/** Whose live name is another one would be made a second time, under the name that is declared. */
function refuseImports(blocks: readonly Block[], report: Report): void {
  for (const { body } of blocks) {
    report.problem({
      code: 'terraform.not-supported',
      at: body.place,
      message: 'An import by id is not read: only the gateway can tell which key it is.',
      found: 'an import without `name=`',
      expected: '`id = "name=…"`, with the name that the key has',
      hint: 'Once Terraform has imported the key, the block can be taken out.',
    });
  }
}

/** The names that imports say keys have now, by the addresses of the keys. */
export function importedNames({ imports }: Module, report: Report): ReadonlyMap<string, Tree> {
  const ofKeys = imports.filter(isOfKey);
  const read = ofKeys.map((block) => [block, tryReadImport(block)] as const);
  refuseImports(
    read.filter(([, one]) => one === undefined).map(([block]) => block),
    report,
  );
  return new Map(read.flatMap(([, one]) => (one ? [[one.to, one.id] as const] : [])));
}
