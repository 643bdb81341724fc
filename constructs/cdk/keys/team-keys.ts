import { Annotations } from 'cdktf';
import { Construct } from 'constructs';
import { budgetProblems } from '../../../src/domain/index.ts';
import { ApiKey, type KeyHandling } from '../key/api-key.ts';
import { budgetShape, budgetWords } from '../key/budget-words.ts';
import type { KeyFields, LimitedBudget } from '../key/key-fields.ts';
import { checkProps, refusal } from '../stack/refusal.ts';
import { given } from '../values/given.ts';
import { isRecord, kindOf } from '../values/shape.ts';
import { hasUnresolved } from '../values/unresolved.ts';
import { idOf } from './construct-id.ts';
import { moveFromId } from './moved.ts';
import { splitBudget } from './split-budget.ts';

/** What one member has of its own. */
export interface Member extends Omit<KeyFields, 'budget'>, Pick<KeyHandling, 'preventDestroy' | 'dependsOn'> {
  /** Parts of the budget, a whole number above 0. Default: 1. */
  readonly share?: number;
  /** What the member was called before: the key is renamed, and keeps its secret. */
  readonly formerly?: string;
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

type Members = ReadonlyMap<string, Member>;

const isListOfNames = (members: unknown): members is readonly string[] =>
  Array.isArray(members) && members.every((name) => typeof name === 'string');

function memberProblem(members: Members, name: string, member: unknown): string | undefined {
  const who = JSON.stringify(name);
  if (!isRecord(member)) return `\`members\`: What ${who} has is an object, not ${kindOf(member)}.`;
  const { share = 1, formerly } = member;
  if ('budget' in member && member.budget !== undefined)
    return `\`members\`: ${who} has a part of the budget of the team. \`share\` makes it larger.`;
  if (!Number.isSafeInteger(share) || Number(share) < 1) {
    return `\`members\`: The share of ${who} is a whole number above 0, not ${String(share)}.`;
  }
  if (formerly === undefined) return undefined;
  if (typeof formerly !== 'string') return `\`members\`: \`formerly\` of ${who} is a name.`;
  return members.has(formerly)
    ? `\`members\`: ${JSON.stringify(formerly)} can not be there while ${who} was called so formerly.`
    : undefined;
}

/** @returns what is wrong, as a text */
function membersOf({ team, members }: TeamKeysProps): Members | string {
  if (typeof team !== 'string') return `\`team\`: A text is wanted, not ${kindOf(team)}.`;
  if (!isListOfNames(members) && !isRecord(members)) {
    return `\`members\`: A list of names is wanted, or an object, not ${kindOf(members)}.`;
  }
  const entries = isListOfNames(members)
    ? members.map((name): [string, Member] => [name, {}])
    : Object.entries(members);
  const named = new Map(entries);
  if (named.size === 0) return '`members`: Nobody is in the team.';
  const twice = entries.map(([name]) => name).find((name, i, names) => names.indexOf(name) < i);
  if (twice !== undefined) return `\`members\`: ${JSON.stringify(twice)} is named twice.`;
  for (const [name, member] of named) {
    const problem = memberProblem(named, name, member);
    if (problem !== undefined) return problem;
  }
  return named;
}

function totalProblem(budget: unknown): string | undefined {
  if (hasUnresolved(budget)) {
    return '`budget`: It is not resolved yet, and what only Terraform knows can not be split. Write the amount.';
  }
  if (budget === 'unlimited' || budget === undefined) return '`budget`: What has no ceiling can not be split.';
  const [shape] = budgetShape(budget);
  if (shape !== undefined) return `\`budget\`: ${shape}`;
  const [problem] = budgetProblems(budgetWords(budget));
  return problem && `\`budget\`: ${problem.summary}. ${problem.detail ?? ''}`.trim();
}

/**
 * One key for each member of a team. Their budgets add up to that of the team to the last cent: whoever joins or leaves
 * changes those of the others. Their constructs are called by the members, in whatever order these stand.
 *
 * @throws Error with the path of the construct, when members are not told apart, or the budget can not be split
 */
export class TeamKeys extends Construct {
  /** The keys, by member. */
  public readonly keys: ReadonlyMap<string, ApiKey>;

  public constructor(scope: Construct, id: string, props: TeamKeysProps) {
    super(scope, id);
    checkProps(this, props);
    const { team, members: _members, budget, nameOf = (member) => `${team}-${member}`, ...shared } = props;
    const members = membersOf(props);
    if (typeof members === 'string') throw refusal(this, members);
    const problem = totalProblem(budget);
    if (problem !== undefined) throw refusal(this, problem);
    const parts = splitBudget(budget, new Map([...members].map(([name, { share = 1 }]) => [name, share])));
    const keyOf = (member: string, { share: _share, formerly, ...own }: Member): ApiKey => {
      const renamed = formerly === undefined ? {} : { renamedFrom: nameOf(formerly) };
      const part = parts.get(member) as LimitedBudget;
      if (Number(part.usd ?? part.quota) === 0 && Number(budget.usd ?? budget.quota) > 0) {
        Annotations.of(this).addWarning(
          `Nothing of the budget is left for ${JSON.stringify(member)}: its part is rounded to 0.`,
        );
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

  /** @throws Error when nobody in the team is called so */
  public get(member: string): ApiKey {
    const key = this.keys.get(member);
    if (key) return key;
    throw refusal(this, `There is no member ${JSON.stringify(member)}: there are ${[...this.keys.keys()].join(', ')}.`);
  }
}
