import { Construct } from 'constructs';
import { ApiKey, type KeyHandling } from './api-key.ts';
import { given } from './given.ts';
import type { KeyFields, LimitedBudget } from './key-fields.ts';
import { splitBudget } from './split-budget.ts';
import { hasUnresolved } from './unresolved.ts';

/** What one member has of its own. */
export interface Member extends Omit<KeyFields, 'budget'>, Omit<KeyHandling, 'provider'> {
  /** Parts of the budget, a whole number above 0. Default: 1. */
  readonly share?: number;
}

/** A team that shares one budget. */
export interface TeamKeysProps extends Omit<KeyFields, 'budget'>, Pick<KeyHandling, 'provider'> {
  /** Name of the team: the names of the keys begin with it. */
  readonly team: string;
  /** Who gets a key: names, or names with what is theirs alone. */
  readonly members: readonly string[] | { readonly [member: string]: Member };
  /** What the team may spend in all. It is split exactly: dollars to the cent, or as fine as they are written. */
  readonly budget: LimitedBudget;
  /** Name of a member’s key. Default: `team-member`. */
  readonly nameOf?: (member: string) => string;
}

const isList = (members: TeamKeysProps['members']): members is readonly string[] => Array.isArray(members);

function membersOf(members: TeamKeysProps['members'], path: string): ReadonlyMap<string, Member> {
  const entries = isList(members) ? members.map((name): [string, Member] => [name, {}]) : Object.entries(members);
  const named = new Map(entries);
  if (named.size === 0) throw new Error(`${path}: a team has members.`);
  if (named.size < entries.length) throw new Error(`${path}: a member is named twice.`);
  for (const [name, { share = 1 }] of named) {
    if (!Number.isSafeInteger(share) || share < 1) {
      throw new Error(`${path}: the share of ${name} is a whole number above 0, not ${share}.`);
    }
  }
  return named;
}

function partsOf({ budget }: TeamKeysProps, members: ReadonlyMap<string, Member>, path: string) {
  if (hasUnresolved(budget)) {
    throw new Error(
      `${path}: \`budget\` is not resolved yet, and what only Terraform knows can not be split. Write the amount.`,
    );
  }
  try {
    return splitBudget(budget, new Map([...members].map(([name, { share = 1 }]) => [name, share])));
  } catch (error) {
    throw new Error(`${path}: \`budget\`: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * One key for each member of a team. Their budgets add up to that of the team to the last cent: whoever joins or leaves
 * changes those of the others. Their constructs are called by the members, in whatever order these stand.
 *
 * @throws Error with the path of the construct, when the budget can not be split
 */
export class TeamKeys extends Construct {
  /** The keys, by member. */
  public readonly keys: ReadonlyMap<string, ApiKey>;

  public constructor(scope: Construct, id: string, props: TeamKeysProps) {
    super(scope, id);
    const { team, members: _members, budget: _budget, nameOf = (member) => `${team}-${member}`, ...shared } = props;
    const members = membersOf(props.members, this.node.path);
    const parts = partsOf(props, members, this.node.path);
    this.keys = new Map(
      [...members].map(([member, { share: _share, ...own }]) => {
        const budget = parts.get(member) as LimitedBudget;
        return [member, new ApiKey(this, member, { ...shared, ...given(own), budget, name: nameOf(member) })];
      }),
    );
  }

  /** @throws Error when nobody in the team is called so */
  public get(member: string): ApiKey {
    const key = this.keys.get(member);
    if (key) return key;
    throw new Error(
      `${this.node.path} has no member ${JSON.stringify(member)}: it has ${[...this.keys.keys()].join(', ')}`,
    );
  }
}
