import { comparableAddress } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { plain, type Tree, tryFindEntry } from '../yaml/tree.ts';
import type { Account } from './account.ts';

const textOf = ({ fields }: Account, name: string): string => {
  const node: Tree | undefined = tryFindEntry(fields, name)?.node;
  if (node?.broken) return '?';
  return node ? comparableAddress(String(plain(node))) : '(from the environment)';
};

const identityOf = (account: Account): string => `user ${textOf(account, 'userId')} at ${textOf(account, 'url')}`;

/** The accounts, each once. That there are several is told: which one a run is about is said by naming less. */
export function distinctAccounts(accounts: readonly Account[], report: Report): readonly Account[] {
  const known = accounts.filter(({ fields }) => !fields.entries.some(({ node }) => node.broken));
  const byIdentity = new Map(known.map((account) => [identityOf(account), account]));
  const distinct = [...byIdentity.values()];
  const [first, second] = distinct;
  if (!second) return distinct;
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
  return distinct;
}
