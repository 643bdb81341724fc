import type { Report } from '../../source/index.ts';
import { found, type Tree, tryFindEntry } from '../yaml/tree.ts';
import { type Block, nested } from './block.ts';

/** The name of the provider in a module. */
export const PROVIDER = 'keyplane';

const OURS = /^([^/]+\/)?keyplane\/keyplane$/i;

const textOf = (node: Tree | undefined): string | undefined =>
  node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;

export const aliasOf = ({ body }: Pick<Block, 'body'>): string | undefined => textOf(tryFindEntry(body, 'alias')?.node);

/** `keyplane`, `keyplane.eu`: a module has each of them once. */
export const providerName = (block: Pick<Block, 'body'>): string => {
  const alias = aliasOf(block);
  return alias === undefined ? PROVIDER : `${PROVIDER}.${alias}`;
};

/** Whose keys these are, another provider than ours would decide. */
export function checkSource({ body }: Pick<Block, 'body'>, report: Report): void {
  for (const required of nested(body, 'required_providers', report)) {
    const entry = tryFindEntry(required, PROVIDER);
    const source = entry && tryFindEntry(entry.node, 'source')?.node;
    if (!source || OURS.test(textOf(source) ?? '')) continue;
    report.problem({
      code: 'terraform.not-supported',
      at: source.place,
      message: `The provider \`${PROVIDER}\` of this module is another one.`,
      found: found(source),
      expected: '`keyplane/keyplane`, with its registry before it or without',
      hint: 'Keys of another provider are left to Terraform.',
    });
  }
}
