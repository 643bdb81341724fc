import { exponentOf, type Measured, type Results, ROWS, type Row, ratioOf } from './rows.ts';

const SECOND = 1000;

const amount = (ms: number): string =>
  ms >= SECOND ? `${(ms / SECOND).toFixed(1)} s` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;

function goalOf({ goal, goalOnClock, memory, faster }: Row): string {
  if (goal === undefined) return '';
  const where = goalOnClock ? ' on the clock' : '';
  return `${faster ? '≥' : '≤'} ${goal} ×${where}${memory === undefined ? '' : `, ${memory} MB`}`;
}

function clockOf(row: Row, { clock, idle }: Measured): string {
  if (!clock) return '';
  const over = (ours: number, floor: number): string => `${amount(ours)} over ${amount(floor)}`;
  const without = idle
    ? `; without a request ${over(idle.ours.idleMs, idle.floor.idleMs)}, before the first ${over(idle.ours.beforeMs, idle.floor.beforeMs)}`
    : '';
  return `${ratioOf(row, clock).toFixed(2)} × (${over(clock.ours, clock.floor)}${without})`;
}

function cellsOf(row: Row, measured: Measured | undefined): readonly string[] {
  const result =
    measured === undefined
      ? ['not measured', '', '', '']
      : [
          `**${ratioOf(row, measured).toFixed(2)} ×**${row.faster ? ' faster' : ''}`,
          amount(measured.ours) + (measured.peakMiB === undefined ? '' : `, ${measured.peakMiB.toFixed(0)} MB`),
          amount(measured.floor),
          clockOf(row, measured),
        ];
  return [row.work, row.floor, ...result, goalOf(row), row.limit];
}

const HEADINGS = ['work', 'floor', 'ratio', 'Keyplane', 'floor takes', 'on the clock', 'goal', 'what limits it'];

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function growthText({ growth }: Results): readonly string[] {
  if (!growth) return ['The growth was not measured in this run.'];
  const { keys, cpuMs, peakMiB } = growth;
  const counts = keys.map((count, i) =>
    line([count.toLocaleString('en'), amount(cpuMs[i] ?? Number.NaN), `${(peakMiB[i] ?? Number.NaN).toFixed(0)} MB`]),
  );
  return [
    line(['keys', 'CPU time', 'memory']),
    line(['---', '---', '---']),
    ...counts,
    '',
    `Time grows with the number of keys to the power of ${exponentOf(keys, cpuMs).toFixed(2)}, memory to that of ${exponentOf(keys, peakMiB).toFixed(2)}; 1 is linear. A start is part of both, so the exponents of the larger counts are higher.`,
  ];
}

/** Renders the page about performance. */
export function renderPerformance(results: Results, tried: string): string {
  const { machine, node, date, load, rows } = results;
  return [
    '# Performance',
    '',
    '<!-- Written by `npm run bench`. Do not edit it: the texts are in scripts/bench. -->',
    '',
    `Measured on ${date} with Node.js ${node} on ${machine}, with a load of ${load.map((each) => each.toFixed(1)).join(' to ')}. Each row is the ratio of two measurements of one run, as ratios differ less between machines than times. Unless a row mentions the clock, both are CPU times of whole processes, from start to end, which a busy machine distorts less than the clock. The reference gateway runs on the same machine, in memory, in a process of its own, whose CPU time does not count; on the clock it does, for both. What a command of a start costs shows in CPU time; what one waits for a gateway, on the clock. While no request is under way the gateway has nothing to do: of that time, what is above that of the floor cannot be hidden behind its work.`,
    '',
    line(HEADINGS),
    line(HEADINGS.map(() => '---')),
    ...ROWS.map((row) => line(cellsOf(row, rows[row.id]))),
    '',
    '## Growth',
    '',
    'A plan of keys that are as declared:',
    '',
    ...growthText(results),
    '',
    tried.trim(),
    '',
  ].join('\n');
}
