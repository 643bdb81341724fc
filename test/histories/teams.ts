import { type Budget, type DesiredState, keyName, quota } from '../../src/domain/index.ts';
import { declare, live, state } from '../reconcile/account.ts';

export const UNITS = 500_000;
export const lifetime = (units: number): Budget => ({ kind: 'lifetime', amount: { quota: quota(units) } });

export const TEAMS = ['a', 'b'] as const;
export type Team = (typeof TEAMS)[number];

/** The manifest of a team: a key of every change that there is. */
export const manifestOf = (team: Team): DesiredState =>
  state(
    [
      declare(`${team}-updated`, { group: 'vip', budget: lifetime(2 * UNITS) }),
      declare(`${team}-cut`, { budget: lifetime(UNITS / 2) }),
      declare(`${team}-renamed`, { renamedFrom: keyName(`${team}-old`), budget: lifetime(UNITS) }),
      declare(`${team}-disabled`, { enabled: false, budget: lifetime(UNITS) }),
      declare(`${team}-new`, { group: 'default', budget: lifetime(3 * UNITS) }),
      declare(`${team}-new-too`, { group: 'vip', budget: lifetime(UNITS) }),
      declare(`${team}-born-disabled`, { enabled: false, budget: lifetime(UNITS) }),
    ],
    { scope: [`${team}-*`], prune: 'delete' },
  );

/** The keys that each account starts with, those of nobody's team too. */
export const SEEDS = [
  ...TEAMS.flatMap((team) => ['updated', 'cut', 'old', 'disabled', 'pruned'].map((name) => `${team}-${name}`)),
  'other-1',
  'other-2',
].map((name) => live(name, { remain: quota(UNITS) }));

/** The grants of the declared budgets, by name. */
export const GRANTS: ReadonlyMap<string, number> = new Map(
  TEAMS.flatMap((team) =>
    manifestOf(team).keys.flatMap(({ name, budget }) =>
      budget?.kind === 'lifetime' && 'quota' in budget.amount ? [[name, budget.amount.quota] as const] : [],
    ),
  ),
);
