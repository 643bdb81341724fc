import type { Report } from '../problem.ts';
import { plain, type Tree, tryFindEntry } from '../tree.ts';
import type { Account } from './account.ts';

const textOf = ({ fields }: Account, name: string): string => {
  const node: Tree | undefined = tryFindEntry(fields, name)?.node;
  if (node?.broken) return '?';
  return node ? String(plain(node)).replace(/\/+$/, '') : '(from the environment)';
};

const identityOf = (account: Account): string => `user ${textOf(account, 'userId')} at ${textOf(account, 'url')}`;

/**
 * The one account that everything is of. Of several, all are told: which one a run is about is said by naming less.
 *
 * @returns undefined when there is none, or more than one
 */
export function theAccount(accounts: readonly Account[], report: Report): Account | undefined {
  const known = accounts.filter(({ fields }) => !fields.entries.some(({ node }) => node.broken));
  const byIdentity = new Map(known.map((account) => [identityOf(account), account]));
  const [first, second] = [...byIdentity.values()];
  if (!second) return first;
  const listed = [...byIdentity].map(([identity, { of }]) => `${of}: ${identity}`);
  report.problem({
    code: 'terraform.several-accounts',
    at: second.fields.place,
    message: 'Keys of several accounts were read; one run is about one account.',
    found: listed.join('; '),
    expected: 'keys of one account',
    hint: 'Name one stack at a time: `-f cdktf.out/stacks/NAME`. Two accounts in one stack are left to Terraform.',
    related: [{ place: first?.fields.place ?? second.fields.place, message: 'another one' }],
  });
  return undefined;
}
