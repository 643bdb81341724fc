import { EXIT } from '../../src/cli/output/exit-codes.ts';
import type { OutcomeState } from '../../src/domain/index.ts';
import type { Progress, Scenario } from './scenarios.ts';
import type { Ended, StoredKey, Truth } from './world.ts';

/** The envelope of a report, as far as it is compared with the ledger. */
interface Envelope {
  readonly data: {
    readonly outcomes?: readonly {
      readonly state: OutcomeState;
      readonly change: { readonly verb: string; readonly name: string };
    }[];
    readonly corrections?: readonly { readonly takenBack: boolean }[];
    readonly unverified?: readonly string[];
    readonly converged?: boolean | null;
    readonly fatal?: unknown;
    readonly changes?: unknown;
    readonly manifest?: string;
    readonly results?: readonly {
      readonly keyId: number;
      readonly verdict: string;
      readonly cost?: { readonly charged?: number };
    }[];
  } | null;
  readonly fault?: { readonly code: string; readonly message: string };
}

export const envelopeOf = ({ stdout }: Ended): Envelope => JSON.parse(stdout) as Envelope;

type ReportedOutcome = NonNullable<NonNullable<Envelope['data']>['outcomes']>[number];

/** May a report give this state to a change that got so far? `undefined`: it does not mention the change. */
function isTrue(outcome: ReportedOutcome | undefined, progress: Progress): boolean {
  switch (outcome?.state) {
    case 'applied':
      return progress === 'done';
    case 'indeterminate':
      return true;
    case 'left-enabled':
      return progress !== 'none';
    default:
      return progress === 'none';
  }
}

/** The names of several keys, by what the ledger has. */
const twinsAmong = (keys: readonly StoredKey[]): readonly string[] =>
  keys.map(({ name }) => name).filter((name, i, all) => all.indexOf(name) !== i);

/** Everything that a report states about changes and that the ledger contradicts. */
function liesAboutChanges({ changes }: Scenario, after: Truth, { data }: Envelope): readonly string[] {
  const outcomes = new Map(data?.outcomes?.map((each) => [`${each.change.verb} ${each.change.name}`, each]));
  const twins = new Set(twinsAmong(after.keys));
  return Object.entries(changes).flatMap(([change, judge]) => {
    const outcome = outcomes.get(change);
    const progress = judge(after.keys);
    const isHiddenTwin = outcome?.state === 'applied' && twins.has(change.split(' ')[1] ?? '');
    const wrong = isTrue(outcome, progress) ? [] : [`${change} is ${progress}, reported as ${outcome?.state}`];
    return isHiddenTwin ? [...wrong, `${change} left a twin, reported as applied`] : wrong;
  });
}

/** Keys that no change is about, and that are not as they were. */
function foreignTouched(scenario: Scenario, before: Truth, after: Truth): readonly string[] {
  const own = new Set(Object.keys(scenario.changes).map((change) => change.split(' ')[1]));
  const isForeign = ({ name }: StoredKey): boolean => !own.has(name) && name !== 'app-old';
  const kept = (keys: readonly StoredKey[]) => JSON.stringify(keys.filter(isForeign));
  return scenario.title === 'check' || kept(before.keys) === kept(after.keys) ? [] : ['a foreign key was touched'];
}

/** Does an apply report that everything was done? */
const isFinished = ({ data }: Envelope): boolean =>
  data?.outcomes?.every(({ state }) => state === 'applied') === true &&
  (data.corrections ?? []).every(({ takenBack }) => takenBack) &&
  data.unverified?.length === 0 &&
  data.converged === true &&
  !data.fatal;

function liesOfWriter(scenario: Scenario, { before, after, ended }: Observed): readonly string[] {
  const envelope = envelopeOf(ended);
  const isDone = Object.values(scenario.changes).every((judge) => judge(after.keys) === 'done');
  return [
    ...liesAboutChanges(scenario, after, envelope),
    ...foreignTouched(scenario, before, after),
    ...((ended.code === EXIT.done) === isFinished(envelope) ? [] : [`exit ${ended.code} contradicts the report`]),
    ...(ended.code === EXIT.done && !isDone ? ['exit 0, and not everything is done'] : []),
  ];
}

/** The exit codes of results; any other one means that there is none. */
const RESULTS: readonly number[] = [EXIT.done, EXIT.pending];

function liesOfReader(scenario: Scenario, { before, after, ended, clean }: Observed): readonly string[] {
  const written = JSON.stringify(before.keys) === JSON.stringify(after.keys) ? [] : ['a command that reads wrote'];
  if (!RESULTS.includes(ended.code)) return written;
  const [found, expected] = [ended, clean].map((each) => {
    const { data } = envelopeOf(each);
    // Each gateway has a port of its own.
    return JSON.stringify(data?.manifest ?? data?.changes).replace(/127\.0\.0\.1:\d+/g, 'gateway');
  });
  return [
    ...written,
    ...(ended.code === scenario.exit ? [] : [`exit ${ended.code} instead of ${scenario.exit}`]),
    ...(found === expected ? [] : ['the result differs from that of an undisturbed run']),
  ];
}

/** A check that passed was answered, and a cost that is stated was charged. */
function liesOfCheck({ before, after, ended, isDoubled }: Observed): readonly string[] {
  const results = envelopeOf(ended).data?.results ?? [];
  const charges = after.log.filter((row) => !before.log.some((old) => old.id === row.id));
  const wrong = results.flatMap(({ keyId, verdict, cost }) => {
    const sum = charges.reduce((total, row) => total + (row.token_id === keyId ? row.quota : 0), 0);
    const unserved = verdict === 'passed' && sum === 0 ? [`key ${keyId} passed without being served`] : [];
    const { charged } = cost ?? {};
    // The cost is looked up for the request that was sent. Something between may have delivered it twice: see the page.
    const isTrue = charged === sum || (isDoubled && charged === sum / 2);
    return charged === undefined || isTrue
      ? unserved
      : [...unserved, `key ${keyId} was charged ${sum}, reported as ${charged}`];
  });
  const passed = results.length === 2 && results.every(({ verdict }) => verdict === 'passed');
  return [...wrong, ...((ended.code === EXIT.done) === passed ? [] : [`exit ${ended.code} contradicts the report`])];
}

/** A token in the file is valid, and one that may be invalid is reported. */
function liesOfRotation({ before, after, ended }: Observed): readonly string[] {
  const { fault } = envelopeOf(ended);
  const isRotated = before.accessToken !== after.accessToken;
  const isKept = after.keptToken === after.accessToken;
  if (ended.code === EXIT.done) return isRotated && isKept ? [] : ['exit 0, and the token in the file is not valid'];
  const isDoubted = /unknown whether the token was rotated/.test(fault?.message ?? '');
  return [
    ...(isRotated && !isDoubted ? ['the token was rotated, and the report does not mention it'] : []),
    ...(after.keptToken === before.keptToken || isKept ? [] : ['the token in the file is not valid']),
  ];
}

export interface Observed {
  /** The gateway received a request twice. */
  readonly isDoubled: boolean;
  readonly before: Truth;
  readonly after: Truth;
  readonly ended: Ended;
  /** The same command, undisturbed, on the same account. */
  readonly clean: Ended;
}

/** Commands that do something else than to read or change keys. */
const LIES: Readonly<Record<string, (observed: Observed) => readonly string[]>> = {
  check: liesOfCheck,
  rotate: liesOfRotation,
};

const liesOfCommand =
  (scenario: Scenario) =>
  (observed: Observed): readonly string[] =>
    Object.keys(scenario.changes).length > 0 ? liesOfWriter(scenario, observed) : liesOfReader(scenario, observed);

/** Everything that a command claimed and that the ledger of the gateway contradicts; empty: none. */
export function liesOf(scenario: Scenario, observed: Observed): readonly string[] {
  const { stdout, stderr } = observed.ended;
  const leaks = [observed.before, observed.after].some(({ accessToken }) => (stdout + stderr).includes(accessToken))
    ? ['the access token was printed']
    : [];
  const defects = /tool\.defect/.test(stdout + stderr) ? ['a defect of the program'] : [];
  const lies = (LIES[scenario.title] ?? liesOfCommand(scenario))(observed);
  return [...lies, ...leaks, ...defects];
}

/** Everything that is wrong with the account after an undisturbed run; empty: it converged. */
export function unconverged(scenario: Scenario, before: Truth, after: Truth, ended: Ended): readonly string[] {
  const left = Object.entries(scenario.changes).filter(([, judge]) => judge(after.keys) !== 'done');
  return [
    ...(ended.code === scenario.exit ? [] : [`the next run exits with ${ended.code}: ${ended.stderr.slice(-300)}`]),
    ...left.map(([change]) => `${change} is not done after the next run`),
    ...twinsAmong(after.keys).map((name) => `twin of ${name} after the next run`),
    ...foreignTouched(scenario, before, after),
  ];
}
