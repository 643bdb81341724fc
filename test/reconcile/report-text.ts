import {
  type ApplyReport,
  type CheckReport,
  type DesiredState,
  decimalOf,
  type Fault,
  type Outcome,
} from '../../src/domain/index.ts';
import { type ApplyOptions, reportFaults } from '../../src/reconcile/index.ts';
import type { MemoryStore } from '../contract/memory-store.ts';
import { plainKey } from '../plain-key.ts';
import { applied, emptyAccount, live } from './account.ts';
import { failing } from './going-wrong.ts';

const faultText = ({ code, message, hint, remedy, detail }: Fault): string =>
  [`${code}: ${message}`, hint, remedy, Object.keys(detail ?? {}).length > 0 && JSON.stringify(detail)]
    .filter(Boolean)
    .join('\n    ');

function outcomeText(outcome: Outcome): string {
  const id = 'id' in outcome && outcome.id !== undefined ? ` (${outcome.id})` : '';
  const why =
    outcome.state === 'applied'
      ? outcome.remark
      : outcome.state === 'skipped'
        ? [outcome.reason, outcome.remedy].filter(Boolean).join(' | ')
        : faultText(outcome.fault);
  return `${outcome.state} ${outcome.change.verb} ${outcome.change.name}${id}${why ? `: ${why}` : ''}`;
}

/** A report in words: the outcome of each change, then what is wrong with the whole; a fault of an outcome by its code. */
function textOf(report: ApplyReport): string {
  const known = new Set(report.outcomes.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : [])));
  const wrong = reportFaults(report).map((fault) => `=> ${known.has(fault) ? fault.code : faultText(fault)}`);
  return [...report.outcomes.map(outcomeText), ...wrong].join('\n  ');
}

/** A run, the names of the keys that exist before it, and what goes wrong. A key whose name begins with `off` is disabled. */
export type Scene = readonly [
  title: string,
  seeded: readonly string[],
  desired: DesiredState,
  arrange: (store: MemoryStore) => void,
  options?: Partial<ApplyOptions>,
];

/** The reports of some runs in words. */
export async function reportsOf(scenes: readonly Scene[]): Promise<string> {
  const texts: string[] = [];
  for (const [title, seeded, desired, arrange, options] of scenes) {
    const store = emptyAccount();
    for (const name of seeded) store.seed(live(name), { status: name.startsWith('off') ? 2 : 1 });
    arrange(store);
    const report = await applied(store, desired, { concurrency: 1, allowEnable: ['off'], ...options });
    texts.push(`${title}\n  ${textOf(report)}`);
  }
  return `${texts.join('\n')}\n`;
}

/** Before the nth time that an operation is entered, something else happens to the account. */
export const before =
  (operation: string, act: (store: MemoryStore) => void, nth = 1) =>
  (store: MemoryStore): void => {
    let entered = 0;
    store.hook = (each) => {
      if (each !== operation) return;
      entered += 1;
      if (entered === nth) act(store);
    };
  };

export const failingAt =
  (...args: Parameters<typeof failing>): Scene[3] =>
  (store) => {
    store.hook = failing(...args);
  };

/** Replaces what a create does. */
export const creating =
  (act: (store: MemoryStore, settings: Parameters<MemoryStore['create']>[0]) => void) =>
  (store: MemoryStore): void => {
    store.create = async (settings) => act(store, settings);
  };

/** An account with so many keys, as it was seen before the run. */
export const observedWith = (keys: number): ApplyOptions['observed'] => ({
  account: { url: 'memory://account', userId: 1 },
  quotaPerUnit: decimalOf(500_000),
  keys: Array.from({ length: keys }, (_, n) => plainKey(n + 1)),
  used: new Map(),
});

export const checksWith = (verdicts: readonly ('passed' | 'failed')[]): CheckReport => ({
  startedAt: 0,
  durationMs: 1,
  results: verdicts.map((verdict) => ({
    key: 'a',
    check: 'answers',
    module: 'chat',
    schedule: 'cheap',
    verdict,
    findings: [],
    attempts: 1,
    cost: {},
    exchanges: [],
    artifacts: [],
  })),
  remaining: {},
  capReached: false,
  interrupted: false,
});
