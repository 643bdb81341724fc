import { describe, expect, it } from 'vitest';
import { judge } from './combinations.ts';
import type { Injected } from './fault-proxy.ts';
import { FAULTS, type FaultKind } from './faults.ts';
import { crowded, hostility, playedOn, playSeed, renderInjected, replay, shrink } from './hostile.ts';
import { SCENARIOS, type Scenario } from './scenarios.ts';

/** Seeds of its own for each command, one for each share of faults. */
const lanes = SCENARIOS.map((scenario, i) => ({
  scenario,
  title: scenario.title,
  seeds: [1, 2, 3].map((n) => 3 * i + n),
}));

const injected: Injected[] = [];

function named(title: string): Scenario {
  const found = SCENARIOS.find((scenario) => scenario.title === title);
  if (found === undefined) throw new Error(`there is no ${title}`);
  return found;
}

describe('a command on a hostile server', () => {
  it.each(lanes)('$title, seeds $seeds: reports the truth, and the next run converges', async ({ scenario, seeds }) => {
    const played = await playedOn(scenario);
    for (const seed of seeds) {
      const shown = await playSeed(played, seed);
      injected.push(...shown.injected);
      expect(shown.failure).toBeUndefined();
    }
  });

  it('reports the truth about an account with two pages of keys', async () => {
    const shown = await playSeed(await playedOn(crowded(named('apply'))), 4);
    injected.push(...shown.injected);
    expect(shown.failure).toBeUndefined();
  });

  it('meets empty 429s, shifting pages and lost answers in these tests', () => {
    const titles = injected.map(({ fault }) => fault.title);
    const kinds = ['429 without', 'page that shifted', 'no answer', 'cut connection, after', 'after the run'];
    expect(kinds.filter((kind) => !titles.some((title) => title.includes(kind)))).toEqual([]);
  });

  it('meets the same faults whenever the seed is the same', async () => {
    const played = await playedOn(named('apply'));
    const [first, second] = [await judge(played, hostility(5)), await judge(played, hostility(5))];
    expect(first.injected).not.toEqual([]);
    expect(renderInjected(second.injected)).toBe(renderInjected(first.injected));
  });
});

/** Failures that seeds found, shrunk, each with what was wrong. */
const FOUND: readonly [
  wrong: string,
  command: string,
  faults: readonly [target: string, ordinal: number, title: string][],
][] = [
  [
    'the token was rotated, and the report did not mention it',
    'rotate',
    [['GET /api/user/token', 1, 'a 200 with `success: false`, after the commit']],
  ],
  [
    'the token was rotated twice, and the report did not mention it',
    'rotate',
    [['GET /api/user/token', 1, 'a request delivered twice, with the second answer']],
  ],
  [
    'a key that was renamed was reported as deleted',
    'apply',
    [
      ['GET /api/token/4', 2, 'a 200 with `success: false`, after the commit'],
      ['GET /api/token/4', 3, 'a 404'],
    ],
  ],
  [
    'a key was renamed after the run, and a second attempt that was rejected hid that possibility',
    'terraform apply',
    [
      ['PUT /api/token/', 2, 'a commit after the run whose connection was cut'],
      ['GET /api/token/4', 3, 'a 401'],
    ],
  ],
  [
    'a key that was created and could not be disabled counted as one that ends, and the next run refused to disable it',
    'apply',
    [
      ['PUT /api/token/?status_only=true', 1, 'a 200 with `success: false`, before the commit'],
      ['POST /api/token/', 3, 'a 200 with `success: false`, before the commit'],
      ['PUT /api/token/?status_only=true', 2, 'a 200 with `success: false`, before the commit'],
    ],
  ],
  [
    'a key was updated after the run, and no diagnostic mentioned that possibility',
    'terraform apply',
    [
      ['PUT /api/token/', 1, 'a cut connection, before the commit'],
      ['PUT /api/token/', 2, 'a commit after the run that timed out'],
    ],
  ],
  [
    'a key was enabled that could not be read afterwards, and no diagnostic mentioned it',
    'terraform apply',
    [
      ['PUT /api/token/?status_only=true', 2, 'no answer within the time limit, and no commit'],
      ['GET /api/token/2', 3, 'a gzip bomb, before the commit'],
      ['GET /api/token/2', 4, 'a commit after the run that timed out'],
      ['GET /api/token/2', 5, 'a 200 with `success: false`, before the commit'],
    ],
  ],
];

function faultNamed(title: string): FaultKind {
  const found = FAULTS.find((fault) => fault.title === title);
  if (found === undefined) throw new Error(`there is no fault ${title}`);
  return found;
}

describe('a failure that a hostile server showed', () => {
  it.each(FOUND)('does not return: %s (%s)', async (_wrong, command, faults) => {
    const injected = faults.map(([target, ordinal, title]) => ({
      request: { target, ordinal },
      fault: faultNamed(title),
    }));
    const verdict = await judge(await playedOn(named(command)), replay(injected));
    expect(verdict.problems).toEqual([]);
    expect(verdict.injected).toHaveLength(injected.length);
  });
});

describe('a failure on a hostile server', () => {
  it('is shrunk to the faults that cause it', async () => {
    const all = FAULTS.slice(0, 9).map((fault, i): Injected => ({ request: { target: 'GET /a', ordinal: i }, fault }));
    const causes = [all[2], all[7]];
    const isWrong = async (fewer: readonly Injected[]) => causes.every((cause) => cause && fewer.includes(cause));
    expect(await shrink(all, isWrong)).toEqual(causes);
  });
});
