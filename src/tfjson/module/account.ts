import { BASE_ADDRESS, blankCredentials, comparableAddress, type Place } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { describe, isNull, type JsonMember, type JsonNode, stringIn, tryFindMember } from '../json/node.ts';
import { reportUnknownAttribute } from '../report.ts';
import { type Block, constructOf, membersOf } from './block.ts';
import type { Instance } from './instance.ts';
import { aliasOf, PROVIDER, providerName } from './provider.ts';
import { asText, placed, type Resolver, resolve, within } from './resolve.ts';

/** One attribute of an account, in normal form. */
interface AccountField {
  readonly value: string;
  readonly place: Place;
}

/** The account of a provider, as far as the provider declares it. The environment completes it. */
export interface Account {
  /** The stack, and the alias of the provider if it has one. */
  readonly of: string;
  readonly place: Place;
  /** Absent: from the environment. */
  readonly url?: AccountField;
  readonly userId?: AccountField;
  /** An attribute could not be resolved, which is reported. */
  readonly isIncomplete: boolean;
}

/** Settings of the provider that have no effect here. */
const IGNORED: readonly string[] = [
  'ca_file',
  'gateway_profile',
  'timeout',
  'max_wait',
  'settle',
  'lock',
  'lock_timeout',
  'max_concurrency',
  'max_log_pages',
  'assume_log_complete',
  'allow_unknown_groups',
  'allow_unknown_models',
];

/** Attributes of the provider block. */
export const PROVIDER_ATTRIBUTES: readonly string[] = [
  'url',
  'user_id',
  ...IGNORED,
  'alias',
  'access_token',
  'models_key',
  'version',
];

function reportIgnored(settings: readonly JsonMember[], resolver: Resolver): void {
  const [first] = settings;
  if (!first) return;
  resolver.report.problem({
    code: 'terraform.left-out',
    severity: 'warning',
    at: first.at,
    message: 'Some settings of the provider have no effect here.',
    found: settings.map(({ name }) => `\`${name}\``).join(', '),
    expected: '`url`, `user_id`, `alias`',
    hint: 'Pass the settings to each command instead.',
  });
}

/** The attributes that determine an account, and their forms. */
const FORMS = {
  url: [BASE_ADDRESS, 'an http or https address without user, query or fragment'],
  user_id: [/^[1-9]\d{0,14}$/, 'a whole number above 0'],
} as const;

/** Reads an attribute. Null when it is omitted; undefined when it is invalid, which is reported. */
function fieldOf(name: keyof typeof FORMS, block: Block, resolver: Resolver): AccountField | null | undefined {
  const written = tryFindMember(block.body, name)?.node;
  const resolved = written && resolve(written, resolver);
  if (!written || (resolved && isNull(resolved))) return null;
  const node = resolved && asText(resolved);
  const [form, expected] = FORMS[name];
  const value = stringIn(node) ?? '';
  if (!node || form.test(value)) return node && { value, place: placed(node.place, resolver) };
  resolver.report.problem({
    code: node.kind === 'string' ? 'manifest.invalid-value' : 'manifest.wrong-type',
    at: node.place,
    message: `Invalid value for \`${name}\` of the provider.`,
    found: describe(node),
    expected,
    hint: 'Omit it to take it from the environment.',
  });
  return undefined;
}

function accountOf(block: Block, of: string, resolver: Resolver): Account {
  const members = membersOf(block.body).filter(({ node }) => !isNull(node));
  reportIgnored(
    members.filter(({ name }) => IGNORED.includes(name)),
    resolver,
  );
  for (const { name, at } of members.filter((member) => !PROVIDER_ATTRIBUTES.includes(member.name))) {
    reportUnknownAttribute({ name, at }, { known: PROVIDER_ATTRIBUTES }, resolver.report);
  }
  const [url, userId] = [fieldOf('url', block, resolver), fieldOf('user_id', block, resolver)];
  return {
    of,
    place: placed(block.at, resolver),
    ...(url ? { url } : {}),
    ...(userId ? { userId } : {}),
    isIncomplete: url === undefined || userId === undefined,
  };
}

function reportNoProvider(name: string, node: JsonNode, resolver: Resolver): void {
  resolver.report.problem({
    code: 'terraform.unresolved',
    at: node.place,
    message: `The module does not declare the provider \`${name}\` of Keyplane.`,
    found: describe(node),
    expected: '`keyplane`, or `keyplane.ALIAS`',
    hint: 'Declare it: it determines the account of the key.',
  });
}

interface Providers {
  readonly name: string;
  readonly folder: string;
  readonly providers: readonly Block[];
}

/** Finds the account of each resource. A provider is read once, and only when a resource uses it. */
export function accountFinder(
  { name, folder, providers }: Providers,
  base: Resolver,
): (instance: Instance, resolver: Resolver) => Account | undefined {
  const found = new Map<string, Account>();
  const undeclared: Account = { of: name, place: { file: folder, line: 1, column: 1 }, isIncomplete: false };
  const read = (block: Block): Account => {
    const construct = constructOf(block.body);
    const resolver = construct === undefined ? base : within(base, blankCredentials(construct));
    const alias = aliasOf(block);
    return accountOf(block, alias === undefined ? name : `${name} (keyplane.${alias})`, resolver);
  };
  return (instance, resolver) => {
    const member = tryFindMember(instance.declared.body, 'provider');
    const written = (stringIn(member?.node) ?? PROVIDER).replace(/^\$\{(.*)\}$/, '$1');
    const block = providers.find((each) => providerName(each) === written);
    if (member && !block && written !== PROVIDER) {
      reportNoProvider(written, member.node, resolver);
      return undefined;
    }
    const account = found.get(written) ?? (block ? read(block) : undeclared);
    found.set(written, account);
    return account;
  };
}

const identityOf = ({ userId, url }: Account): string => {
  const show = (field: AccountField | undefined): string =>
    field ? comparableAddress(field.value) : '(from the environment)';
  return `user ${show(userId)} at ${show(url)}`;
};

/** The different accounts. One run manages one account, so several are reported. */
export function distinctAccounts(accounts: readonly Account[], report: Report): readonly Account[] {
  const known = accounts.filter(({ isIncomplete }) => !isIncomplete);
  const byIdentity = new Map(known.map((account) => [identityOf(account), account]));
  const distinct = [...byIdentity.values()];
  const [first, second] = distinct;
  if (!first || !second) return distinct;
  report.problem({
    code: 'terraform.several-accounts',
    at: second.place,
    message: 'The keys belong to several accounts; one run manages one account.',
    found: [...byIdentity].map(([identity, { of }]) => `${of}: ${identity}`).join('; '),
    expected: 'keys of one account',
    hint: 'Read one stack at a time: `cdktf.out/stacks/NAME`. Leave two accounts in one stack to Terraform.',
    related: [{ place: first.place, message: 'another account' }],
  });
  return distinct;
}
