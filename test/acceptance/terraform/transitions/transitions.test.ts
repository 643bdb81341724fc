import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ProfileName } from '../../../../src/reference/index.ts';
import { ROOT, readRoot } from '../../../architecture/repository.ts';
import { PROFILES } from '../../place.ts';
import { skipWithoutTerraform } from '../stack.ts';
import { ATTRIBUTES, CELLS, type Cell, type Transition } from './cells.ts';
import { type Expected, expectedOf, rejectingCommand } from './expected.ts';
import { isOutcome } from './outcomes.ts';
import { type Rows, renderPage } from './page.ts';
import { type Facts, runCells, runRejected } from './run.ts';

const PAGE = 'docs/reference/transitions.md';

type Ran = ReadonlyMap<Cell, Facts>;

/** Runs every cell. */
async function runProfile(profile: ProfileName): Promise<Ran> {
  const cells = CELLS.filter((cell) => typeof expectedOf(cell, profile) === 'string');
  const rejectedBy = (verb?: 'validate' | 'plan'): readonly Cell[] =>
    cells.filter((cell) => rejectingCommand(expectedOf(cell, profile)) === verb);
  return new Map([
    ...(await runRejected(rejectedBy('validate'), 'validate')),
    ...(await runRejected(rejectedBy('plan'), 'plan')),
    ...(await runCells(rejectedBy(), profile)),
  ]);
}

/** The runs of all tests, by profile. */
const runs = new Map<ProfileName, Promise<Ran>>();

function ranOnce(profile: ProfileName): Promise<Ran> {
  const ran = runs.get(profile) ?? runProfile(profile);
  runs.set(profile, ran);
  return ran;
}

/** The outcome of a cell as expected, or what happened instead. */
function found(cell: Cell, profile: ProfileName, ran: Ran): Expected | Facts {
  const expected = expectedOf(cell, profile);
  const facts = ran.get(cell);
  return typeof expected !== 'string' || (facts && isOutcome(expected, cell, facts))
    ? expected
    : (facts ?? { errors: [] });
}

function rowOf<T>(attribute: string, value: (cell: Cell) => T): Readonly<Record<Transition, T>> {
  const cells = CELLS.filter((cell) => cell.attribute === attribute);
  return Object.fromEntries(cells.map((cell) => [cell.transition, value(cell)])) as Record<Transition, T>;
}

beforeEach((context) => skipWithoutTerraform(context));

describe.each(PROFILES)('an attribute of a key in terraform (%s)', (profile) => {
  it.each(ATTRIBUTES)('has the expected outcome in every transition: %s', async (attribute) => {
    const ran = await ranOnce(profile);
    const outcomes = rowOf(attribute, (cell) => found(cell, profile, ran));
    expect(outcomes).toEqual(rowOf(attribute, (cell) => expectedOf(cell, profile)));
  });
});

describe('the page about transitions', () => {
  it('shows the outcome of each attribute in each transition', async () => {
    const rowsOf = async (profile: ProfileName): Promise<Rows> => {
      const ran = await ranOnce(profile);
      const shown = (cell: Cell) => found(cell, profile, ran) as Expected;
      return Object.fromEntries(ATTRIBUTES.map((attribute) => [attribute, rowOf(attribute, shown)]));
    };
    const text = renderPage({ contract: await rowsOf('contract'), deployed: await rowsOf('deployed') });
    if (process.env.UPDATE_DOCS === '1') writeFileSync(join(ROOT, PAGE), text);
    expect(readRoot(PAGE)).toBe(text);
  });
});
