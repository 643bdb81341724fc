import fc from 'fast-check';
import { differs, play, type Step } from './compare.ts';
import { DIRECTED } from './directed.ts';
import type { Operation, Side } from './operation.ts';
import { sequence } from './random.ts';

type Sides = readonly [Side, Side];

/** A sequence after which two peers differ, as short as it was made. */
export interface Difference {
  readonly name: string;
  readonly steps: readonly Step[];
}

export interface Count {
  readonly equal: number;
  readonly all: number;
}

export interface Measured {
  readonly answers: Count;
  readonly states: Count;
  readonly sequences: Count;
  readonly differences: readonly Difference[];
}

const countOf = (steps: readonly Step[], member: 'answers' | 'states'): Count => ({
  equal: steps.filter((step) => step[member].length === 0).length,
  all: steps.length,
});

/** Plays every nth directed sequence: single requests with valid and with odd values. */
export async function playDirected(sides: Sides, every: number): Promise<Omit<Measured, 'sequences'>> {
  const played: Difference[] = [];
  for (const { name, operations } of DIRECTED.filter((_, index) => index % every === 0)) {
    played.push({ name, steps: await play(sides, operations) });
  }
  const steps = played.flatMap((one) => one.steps);
  return {
    answers: countOf(steps, 'answers'),
    states: countOf(steps, 'states'),
    differences: played.filter((one) => one.steps.some(differs)),
  };
}

/** Shortens a sequence of a seed as long as the peers still differ. Undefined where they do not. */
async function shortest(sides: Sides, seed: number): Promise<Difference | undefined> {
  const isEqual = fc.asyncProperty(sequence, async (operations) => !(await play(sides, operations)).some(differs));
  const { counterexample } = await fc.check(isEqual, { seed, numRuns: 1 });
  if (!counterexample) return undefined;
  const [operations] = counterexample as [readonly Operation[]];
  return { name: `seed ${seed}`, steps: await play(sides, operations) };
}

/** Plays the random sequences of the seeds from 1. */
export async function playRandom(sides: Sides, seeds: number): Promise<Pick<Measured, 'sequences' | 'differences'>> {
  const differences: Difference[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    const difference = await shortest(sides, seed);
    if (difference !== undefined) differences.push(difference);
  }
  return { sequences: { equal: seeds - differences.length, all: seeds }, differences };
}

const percentOf = ({ equal, all }: Count): string => `${((100 * equal) / all).toFixed(1)} %`;

const shortened = (text: string): string => (text.length > 400 ? `${text.slice(0, 400)}…` : text);

const renderStep = ({ operation: { method, path, body, as }, answers, states }: Step): string => {
  const who = as === undefined ? '' : typeof as === 'number' ? ` (with key ${as})` : ` (${as})`;
  const lines = [`${method} ${path}${who}${body === undefined ? '' : ` ${shortened(body)}`}`];
  lines.push(
    ...answers.map((line) => `  answer ${shortened(line)}`),
    ...states.map((line) => `  keys ${shortened(line)}`),
  );
  return lines.join('\n');
};

/** Renders the figures and each difference as Markdown. */
export function renderMeasured(title: string, { answers, states, sequences, differences }: Measured): string {
  return [
    `# ${title}`,
    '',
    'Both got the same requests. Each difference names what the first did, and then what the second did.',
    '',
    '| | equal | of | |',
    '|---|---|---|---|',
    ...(
      [
        ['answers to single requests', answers],
        ['keys after single requests', states],
        ['random sequences without a difference', sequences],
      ] as const
    ).map(([what, count]) => `| ${what} | ${count.equal} | ${count.all} | ${percentOf(count)} |`),
    '',
    ...differences.flatMap(({ name, steps }) => [`## ${name}`, '', '```text', ...steps.map(renderStep), '```', '']),
  ].join('\n');
}
