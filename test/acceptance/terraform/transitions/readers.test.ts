import { beforeEach, describe, expect, it } from 'vitest';
import type { ProfileName } from '../../../../src/reference/index.ts';
import { PROFILES } from '../../place.ts';
import { skipWithoutQueries, skipWithoutTerraform } from '../stack.ts';
import { runActions } from './readers/actions.ts';
import { READ_CELLS, READERS, type ReadCell, type Reader, titleOf } from './readers/cells.ts';
import { differencesOf, isReadOutcome, READ_OUTCOMES, readExpectedOf } from './readers/expected.ts';
import { runLists } from './readers/lists.ts';
import { type ReadRun, runReads, validateReads } from './readers/run.ts';

type Ran = ReadonlyMap<ReadCell, ReadRun>;

const isCheck = ({ reader }: ReadCell): boolean => titleOf(reader) === 'data keyplane_check';

/** The readers that a profile is played with. The cost of concurrent checks is known only where the log names the key. */
const readersOf = (profile: ProfileName): readonly Reader[] =>
  READERS.filter(
    ({ kind, type }) => kind !== 'list' && kind !== 'action' && (type !== 'keyplane_check' || profile === 'deployed'),
  );

/** Runs every cell. Checks use the account, which others count. */
async function runProfile(profile: ProfileName): Promise<Ran> {
  const cells = READ_CELLS.filter(({ reader }) => readersOf(profile).includes(reader));
  const outcomeOf = (cell: ReadCell) => {
    const expected = readExpectedOf(cell, profile);
    return typeof expected === 'string' ? READ_OUTCOMES[expected] : undefined;
  };
  const rejected = cells.filter((cell) => outcomeOf(cell)?.isRejected);
  const read = cells.filter((cell) => outcomeOf(cell)?.isRejected === undefined && outcomeOf(cell));
  return new Map([
    ...(await validateReads(rejected)),
    ...(await runReads(
      read.filter((cell) => !isCheck(cell)),
      profile,
    )),
    ...(profile === 'deployed' ? await runReads(read.filter(isCheck), profile) : []),
  ]);
}

/** The runs of all tests, by profile. */
const runs = new Map<ProfileName, Promise<Ran>>();

function ranOnce(profile: ProfileName): Promise<Ran> {
  const ran = runs.get(profile) ?? runProfile(profile);
  runs.set(profile, ran);
  return ran;
}

function expectOutcomes(title: string, profile: ProfileName, ran: Ran): void {
  const found = (cell: ReadCell) => {
    const expected = readExpectedOf(cell, profile);
    const run = ran.get(cell) ?? { errors: [] };
    return typeof expected !== 'string' || isReadOutcome(expected, cell, run) ? expected : differencesOf(run);
  };
  const cells = READ_CELLS.filter(({ reader }) => titleOf(reader) === title);
  const rowOf = (value: (cell: ReadCell) => unknown) =>
    Object.fromEntries(cells.map((cell) => [`${cell.attribute}: ${cell.transition}`, value(cell)]));
  expect(rowOf(found)).toEqual(rowOf((cell) => readExpectedOf(cell, profile)));
}

beforeEach((context) => skipWithoutTerraform(context));

describe.each(PROFILES)('what terraform reads, attribute by attribute (%s)', (profile) => {
  it.each(readersOf(profile).map(titleOf))('has the expected outcome in every transition: %s', async (title) => {
    expectOutcomes(title, profile, await ranOnce(profile));
  });
});

describe('what terraform lists, attribute by attribute', () => {
  beforeEach(skipWithoutQueries);

  it('has the expected outcome in every transition', async () => {
    const cells = READ_CELLS.filter(
      (cell) => cell.reader.kind === 'list' && typeof readExpectedOf(cell, 'deployed') === 'string',
    );
    expectOutcomes('list keyplane_api_key', 'deployed', await runLists(cells));
  });
});

describe('what terraform invokes, attribute by attribute', () => {
  beforeEach(skipWithoutQueries);

  it('has the expected outcome in every transition', async () => {
    const title = 'action keyplane_check';
    const cells = READ_CELLS.filter(({ reader }) => titleOf(reader) === title);
    const expectedTo = (outcome: string) => cells.filter((cell) => readExpectedOf(cell, 'deployed') === outcome);
    const ran = new Map([...(await validateReads(expectedTo('error'))), ...(await runActions(expectedTo('invoked')))]);
    expectOutcomes(title, 'deployed', ran);
    const verdicts = [...ran.values()].flatMap((run) => ('steps' in run ? run.steps : [])).map(({ result }) => result);
    // Each way in which an action can end is among them.
    expect(new Set(verdicts.map(({ verdict }) => verdict))).toEqual(new Set(['passed', 'failed', 'nothing proven']));
  });
});
