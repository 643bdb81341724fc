import { Annotations } from 'cdktf';
import { Construct } from 'constructs';
import type { LimitedBudget } from '../key/amounts.ts';
import { ApiKey, type KeyHandling } from '../key/api-key.ts';
import { budgetErrors } from '../key/budget.ts';
import type { KeyFields } from '../key/key-fields.ts';
import { SHARED_PROPS } from '../key/validate-key.ts';
import { checkProps, checkReferences, constructError } from '../stack/refusal.ts';
import { given } from '../values/given.ts';
import { isRecord, kindOf, unknownFields } from '../values/shape.ts';
import { hasUnresolved, isUnresolved } from '../values/unresolved.ts';
import { idOf } from './construct-id.ts';
import { moveFromId } from './moved.ts';
import { splitBudget } from './split-budget.ts';

/** The fields of one member. */
export interface Member extends Omit<KeyFields, 'budget'>, Pick<KeyHandling, 'preventDestroy' | 'dependsOn'> {
  /** Parts of the budget, a whole number above 0. Default: 1. */
  readonly share?: number;
  /** The member’s former name: the key is renamed, and keeps its secret. */
  readonly formerly?: string;
}

/** The team, its members and the budget that they share. */
export interface TeamKeysProps extends Omit<KeyFields, 'budget'>, Pick<KeyHandling, 'provider'> {
  /** Name of the team: the names of the keys begin with it. */
  readonly team: string;
  /** The members that get a key: names, or names with their own fields. */
  readonly members: readonly string[] | { readonly [member: string]: Member };
  /** The budget of the whole team. It is split exactly: dollars to the cent, or as finely as the total. */
  readonly budget: LimitedBudget;
  /** Name of a member’s key. Default: `team-member`. */
  readonly nameOf?: (member: string) => string;
}

type Members = ReadonlyMap<string, Member>;

const isListOfNames = (members: unknown): members is readonly string[] =>
  Array.isArray(members) && members.every((name) => typeof name === 'string');

function memberError(members: Members, name: string, member: unknown): string | undefined {
  const who = JSON.stringify(name);
  if (!isRecord(member)) return `\`members\`: Expected an object of fields for ${who}, got ${kindOf(member)}.`;
  const { share = 1, formerly } = member;
  if ('budget' in member && member.budget !== undefined)
    return `\`members\`: ${who} must not have a \`budget\`: each member has a share of the team’s budget. Set \`share\` to change it.`;
  if (!Number.isSafeInteger(share) || Number(share) < 1) {
    return `\`members\`: The share of ${who} must be a whole number above 0, not ${String(share)}.`;
  }
  const [unknown] = unknownFields(given(member), [
    'share',
    'formerly',
    ...SHARED_PROPS.filter((prop) => prop !== 'budget'),
  ]);
  if (unknown !== undefined) return `\`members\`: ${who}: ${unknown}`;
  if (formerly === undefined) return undefined;
  if (typeof formerly !== 'string') return `\`members\`: \`formerly\` of ${who} must be a name.`;
  return members.has(formerly)
    ? `\`members\`: ${JSON.stringify(formerly)} must not exist while it is the former name of ${who}.`
    : undefined;
}

const MEMBERS_ARE_UNKNOWN =
  '`members`: Only Terraform knows the members, and a budget cannot be split between them. Use `forEach` of `ApiKey`.';

const TEAM_PROPS = ['team', 'members', 'nameOf', 'provider', ...SHARED_PROPS];

/** Finds an error that would be one of each member. */
function sharedError(props: TeamKeysProps): string | undefined {
  const { nameOf } = props;
  const isFunction = nameOf === undefined || typeof nameOf === 'function';
  return isFunction
    ? unknownFields(props, TEAM_PROPS)[0]
    : `\`nameOf\`: Expected a function of a member’s name, got ${kindOf(nameOf)}.`;
}

/** Returns the members, or the error in them. */
function membersOf({ team, members }: TeamKeysProps): Members | string {
  if (typeof team !== 'string') return `\`team\`: Expected a string, got ${kindOf(team)}.`;
  if (isUnresolved(members)) return MEMBERS_ARE_UNKNOWN;
  if (!isListOfNames(members) && !isRecord(members)) {
    return `\`members\`: Expected a list of names or an object, got ${kindOf(members)}.`;
  }
  const entries = isListOfNames(members)
    ? members.map((name): [string, Member] => [name, {}])
    : Object.entries(members);
  const named = new Map(entries);
  if (named.size === 0) return '`members`: The team is empty.';
  const twice = entries.map(([name]) => name).find((name, i, names) => names.indexOf(name) < i);
  if (twice !== undefined) return `\`members\`: ${JSON.stringify(twice)} occurs twice.`;
  for (const [name, member] of named) {
    const problem = memberError(named, name, member);
    if (problem !== undefined) return problem;
  }
  return named;
}

function totalError(budget: unknown): string | undefined {
  if (hasUnresolved(budget)) {
    return '`budget`: The budget is not resolved yet, and a value that only Terraform knows cannot be split. Write the amount.';
  }
  if (budget === 'unlimited' || budget === undefined) return '`budget`: A budget without a ceiling cannot be split.';
  return budgetErrors(budget)[0];
}

/**
 * One key for each member of a team. Their budgets add up to the team’s to the last cent, so each member that joins or leaves
 * changes those of the others. The IDs of their constructs are the members’ names, so that their order does not matter.
 *
 * @throws Error with the path of the construct, when members are ambiguous, or the budget cannot be split
 */
export class TeamKeys extends Construct {
  /** The keys, by member. */
  public readonly keys: ReadonlyMap<string, ApiKey>;

  public constructor(scope: Construct, id: string, props: TeamKeysProps) {
    super(scope, id);
    checkProps(this, props);
    checkReferences(this, props);
    const { team, members: _members, budget, nameOf = (member) => `${team}-${member}`, ...shared } = props;
    const members = membersOf(props);
    if (typeof members === 'string') throw constructError(this, members);
    const problem = sharedError(props) ?? totalError(budget);
    if (problem !== undefined) throw constructError(this, problem);
    const parts = splitBudget(budget, new Map([...members].map(([name, { share = 1 }]) => [name, share])));
    const keyOf = (member: string, { share: _share, formerly, ...own }: Member): ApiKey => {
      const renamed = formerly === undefined ? {} : { renamedFrom: nameOf(formerly) };
      const part = parts.get(member) as LimitedBudget;
      if (Number(part.usd ?? part.quota) === 0 && Number(budget.usd ?? budget.quota) > 0) {
        Annotations.of(this).addWarning(`The share of ${JSON.stringify(member)} in the budget is rounded to 0.`);
      }
      return new ApiKey(this, idOf(member), {
        ...shared,
        ...given(own),
        ...renamed,
        budget: part,
        name: nameOf(member),
      });
    };
    this.keys = new Map([...members].map(([member, own]) => [member, keyOf(member, own)]));
    for (const [member, { formerly }] of members) {
      if (formerly !== undefined) moveFromId(this.get(member), idOf(formerly));
    }
  }

  /** @throws Error when the team has no member of that name */
  public get(member: string): ApiKey {
    const key = this.keys.get(member);
    if (key) return key;
    throw constructError(
      this,
      `There is no member ${JSON.stringify(member)}: there are ${[...this.keys.keys()].join(', ')}.`,
    );
  }
}
