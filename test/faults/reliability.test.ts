import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readRoot } from '../architecture/repository.ts';
import { type Combination, combinationsOf, measure, problemsOf } from './combinations.ts';
import { FAULTS, type FaultKind } from './faults.ts';
import { renderPage } from './page.ts';
import { SCENARIOS } from './scenarios.ts';

const PAGE = 'docs/reliability.md';

const measured = await Promise.all(SCENARIOS.map(measure));

/** One fault for each position, always the one that was played longest ago: every fault gets its turn. */
function* inTurn(): Generator<Combination, never, readonly Combination[]> {
  const queue: FaultKind[] = [...FAULTS];
  let choices: readonly Combination[] = [];
  for (;;) {
    const fault = queue.find((each) => choices.some((choice) => choice.fault === each));
    const [chosen] = choices.filter((choice) => choice.fault === fault);
    if (fault) queue.push(...queue.splice(queue.indexOf(fault), 1));
    choices = yield chosen as Combination;
  }
}

const turn = inTurn();
turn.next([]);

const chosen = measured.flatMap(({ scenario, runs }, number) => {
  const profile: keyof typeof runs = number % 2 === 0 ? 'deployed' : 'contract';
  const clean = runs[profile];
  const all = combinationsOf(clean);
  return clean.routes.map((route, i) => {
    const combination = turn.next(all.filter(({ position }) => position === i + 1)).value;
    return { scenario, profile, clean, combination, route, command: scenario.title, fault: combination.fault.title };
  });
});

describe('a command with a fault in one of its requests', () => {
  it('meets every fault at least once in these tests', () => {
    expect(new Set(chosen.map(({ fault }) => fault)).size).toBe(FAULTS.length);
    expect(FAULTS.length).toBeGreaterThanOrEqual(24);
  });

  it.each(chosen)(
    '$command, $profile, request $combination.position ($route), $fault: reports the truth, and the next run converges',
    async ({ scenario, profile, clean, combination }) => {
      expect(await problemsOf({ scenario, profile, clean }, combination)).toEqual([]);
    },
  );
});

describe('a list that misses the new key right after its create', () => {
  const [terraform] = measured.filter(({ scenario }) => scenario.title === 'terraform apply');
  const combinations = terraform
    ? combinationsOf(terraform.runs.contract).filter(({ fault }) => fault.title.startsWith('a page that shifted'))
    : [];

  it.each(combinations.map((combination) => [combination.position, combination.fault.title, combination] as const))(
    'at request %i of terraform apply (%s) leaves no key that counts as disabled and works',
    async (_position, _title, combination) => {
      if (terraform === undefined) throw new Error('the scenario is missing');
      const { scenario, runs } = terraform;
      expect(await problemsOf({ scenario, profile: 'contract', clean: runs.contract }, combination)).toEqual([]);
    },
  );
});

describe('the page about reliability', () => {
  it('lists the faults, the requests and the number of combinations', () => {
    const text = renderPage(measured.map(({ scenario, runs }) => ({ title: scenario.title, runs })));
    if (process.env.UPDATE_DOCS === '1') writeFileSync(join(ROOT, PAGE), text);
    expect(readRoot(PAGE)).toBe(text);
  });
});
