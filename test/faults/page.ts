import { type Clean, combinationsOf } from './combinations.ts';
import { FAULTS } from './faults.ts';

/** Complete runs of the enumeration, as measured. */
const COMPLETE_RUNS = [
  ['`plan`', 'both', '9d14968b', '348', '0'],
  ['`apply`', 'both', '64bb318e', '2281', '0'],
  ['`drift`', 'both', '9d14968b', '348', '0'],
  ['`import`', 'both', '9d14968b', '234', '0'],
  ['`check`', 'both', '64bb318e', '766', '0'],
  ['`destroy`', 'both', 'c186c477', '822', '0'],
  ['`rotate`', 'both', 'd49c5640', '152', '0'],
  ['`terraform apply`', 'both', '64bb318e', '2281', '0'],
];

/** The undisturbed runs of one command, by the profile of the gateway. */
export interface Measured {
  readonly title: string;
  readonly runs: Readonly<Record<string, Pick<Clean, 'routes'>>>;
}

const DELIVERED = {
  no: 'not at all',
  yes: 'once',
  twice: 'twice',
  later: 'after the run',
} as const;

const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]): string =>
  [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const countOf = (run: Pick<Clean, 'routes'>): number => combinationsOf(run).length;

function countRows(measured: readonly Measured[]) {
  const rows = measured.flatMap(({ title, runs }) =>
    Object.entries(runs).map(([profile, run]) => [`\`${title}\``, profile, run.routes.length, countOf(run)] as const),
  );
  const sum = (column: 2 | 3): number => rows.reduce((total, cells) => total + cells[column], 0);
  return { rows: [...rows, ['all', '', sum(2), sum(3)] as const], total: sum(3) };
}

const positionsOf = ({ title, runs }: Measured): string =>
  Object.entries(runs)
    .map(([profile, { routes }]) => {
      const list = routes.map((route, i) => `${i + 1}. \`${route}\``).join('\n');
      return `### \`${title}\`, profile ${profile}\n\n${list}`;
    })
    .join('\n\n');

/** The page about reliability: every fault, every request, and their number. */
export function renderPage(measured: readonly Measured[]): string {
  const { rows, total } = countRows(measured);
  return `# Reliability

<!-- Generated from test/faults. Do not edit. -->

Each request of these commands with each fault of this page: ${total} combinations. A proxy between the command and the
reference gateway plays the fault, with the request at one position, and records what the gateway received.

After each combination the tests verify four things:

- **The report is true.** It is compared with the ledger of the gateway. A change that is reported as applied was
  committed. One that is reported as failed or skipped was not, also not later. Only a change of unknown outcome may be
  either. Nothing that was committed is missing in the report.
- **The exit code agrees with the report.** It is 0 only when everything is done.
- **Keys of others are unchanged.**
- **The next run converges.** It ends as if nothing had happened, with no key made twice and no key lost.

A command that only reads shows the same result as without the fault, or none. A check passes only when the gateway
served its request, and states only costs that were charged.

\`npm test\` plays at least one fault at each position, and each fault at least once. \`npm run test:exhaustive\` plays all
combinations. Time passes without waiting in both.

## Hostile servers

The same commands run on a server that injects many faults into one run, and are judged by the same four statements. A seed
decides with the method, the path and the ordinal of each request whether it meets a fault, and which one, so that a seed
repeats its run. Empty 429s, pages that shift and lost answers are frequent; a tenth of the runs has two pages of keys. A
failure is shrunk to the faults that cause it, and names its seed, which \`HOSTILE_SEED\` selects. \`npm test\` plays 25 seeds
and every failure that was ever found, \`npm run test:exhaustive\` 2,800.

## Limits

- A gateway that reports no total of its keys can hide a key from one list. A command that only reads, and an apply that
  finds nothing to do, list the keys once, and do not see that key. An apply lists them again right before it creates
  keys, and creates none that exists. After its changes, it lists them once more. A destroy always does. A key that the
  first list missed is then reported as still pending: it is not changed, because nobody confirmed that, and the exit
  code is not 0. The next run plans it.
- A check states the cost of the request that it sent. When something between delivers that request twice, the gateway
  charges it twice, and the usage log shows both.
- A claim of the lock whose delete is lost stays until a later run that writes has seen it unchanged for a whole lease. It
  can pay for nothing, and the tests do not count it as a key.

## Complete runs

${table(['command', 'profile', 'commit', 'combinations', 'problems'], COMPLETE_RUNS)}

## Faults

${table(
  ['fault', 'the gateway receives the request'],
  FAULTS.map(({ title, committed }) => [title, DELIVERED[committed]]),
)}

The faults of key lists are played only with key lists.

## Combinations

${table(['command', 'profile', 'requests', 'combinations'], rows)}

## Positions

${measured.map(positionsOf).join('\n\n')}
`;
}
