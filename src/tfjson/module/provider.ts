import type { Report } from '../../source/index.ts';
import { describe, stringIn, tryFindMember } from '../json/node.ts';
import { type Block, nestedBlocks } from './block.ts';

/** The local name of the provider in a module. */
export const PROVIDER = 'keyplane';

const OUR_SOURCE = /^([^/]+\/)?keyplane\/keyplane$/i;

export const aliasOf = ({ body }: Pick<Block, 'body'>): string | undefined =>
  stringIn(tryFindMember(body, 'alias')?.node);

/** `keyplane`, `keyplane.eu`: unique in a module. */
export const providerName = (block: Pick<Block, 'body'>): string => {
  const alias = aliasOf(block);
  return alias === undefined ? PROVIDER : `${PROVIDER}.${alias}`;
};

/** Refuses another provider under our name: its keys are not ours. */
export function checkProviderSource({ body }: Pick<Block, 'body'>, report: Report): void {
  for (const required of nestedBlocks(body, 'required_providers', report)) {
    const source = tryFindMember(tryFindMember(required, PROVIDER)?.node, 'source')?.node;
    if (!source || OUR_SOURCE.test(stringIn(source) ?? '')) continue;
    report.problem({
      code: 'terraform.not-supported',
      at: source.place,
      message: `The provider \`${PROVIDER}\` of this module is not Keyplane’s.`,
      found: describe(source),
      expected: '`keyplane/keyplane`, with or without its registry',
      hint: 'Leave the keys of another provider to Terraform.',
    });
  }
}
