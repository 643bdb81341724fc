import {
  type ApplyReport,
  type CheckReport,
  FAULTS,
  Fault,
  isFault,
  type Json,
  type Plan,
  Secret,
} from '../domain/index.ts';
import type { DriftReview, Review } from '../engine/index.ts';
import { desiredIfKnown, readPlan } from './issued.ts';

/** The results that travel, by the kind of their JSON. */
export interface Results {
  /** A plan that can be applied later. */
  readonly 'saved-plan': Plan;
  /** A plan with its judgement. */
  readonly review: Review;
  /** The drift of an account. */
  readonly drift: DriftReview;
  /** The report of a run that wrote. */
  readonly apply: ApplyReport;
  /** The report of checks. */
  readonly check: CheckReport;
}

/** The kinds of results that travel as JSON. */
export type ResultKind = keyof Results;
/** A result that travels as JSON. */
export type KeyplaneResult = Results[ResultKind];

const VERSION = 1;
/** Marks a value that JSON does not have. */
const MARK = '$keyplane';

const marked = (type: string, value: Json): Json => ({ [MARK]: type, value });

/** Converts data to JSON from which {@link revived} makes the same data again. */
function encoded(value: unknown): Json {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') return marked('bigint', value.toString());
  if (typeof value !== 'object' || value === null) return null;
  if (value instanceof Secret) throw new Fault('usage.invalid', 'The result holds a secret, which does not travel.');
  if (isFault(value)) {
    const { code, message, hint, detail } = value;
    return marked('error', encoded({ code, message, hint, detail }));
  }
  if (value instanceof Uint8Array) return marked('bytes', Buffer.from(value).toString('base64'));
  if (value instanceof Map) return marked('map', encoded([...value]));
  if (value instanceof Set) return marked('set', encoded([...value]));
  if (Array.isArray(value)) return value.map(encoded);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const object = Object.fromEntries(members.map(([name, member]) => [name, encoded(member)]));
  return MARK in object ? marked('object', object) : object;
}

type ResultMembers = Readonly<Record<string, Json>>;

const isMembers = (value: Json | undefined): value is ResultMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const revivedMembers = (value: Json | undefined): Readonly<Record<string, unknown>> =>
  isMembers(value) ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, revived(member)])) : {};

const itemsOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const isCode = (code: unknown): code is Fault['code'] => typeof code === 'string' && Object.hasOwn(FAULTS, code);

function revivedFault(value: Json): Fault {
  const { code, message, hint, detail } = isMembers(value) ? value : {};
  return new Fault(isCode(code) ? code : 'tool.defect', String(message), {
    ...(typeof hint === 'string' ? { hint } : {}),
    detail: revivedMembers(detail),
  });
}

const REVIVERS: Readonly<Record<string, (value: Json) => unknown>> = {
  bigint: (value) => BigInt(String(value)),
  bytes: (value) => new Uint8Array(Buffer.from(String(value), 'base64')),
  map: (value) => new Map(itemsOf(value).map((entry) => [revived(itemsOf(entry)[0]), revived(itemsOf(entry)[1])])),
  set: (value) => new Set(itemsOf(value).map(revived)),
  object: revivedMembers,
  error: revivedFault,
};

function revived(value: Json | undefined): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (!isMembers(value)) return value;
  const mark = value[MARK];
  const revive = typeof mark === 'string' && Object.hasOwn(REVIVERS, mark) ? REVIVERS[mark] : undefined;
  return revive ? revive(value.value ?? null) : revivedMembers(value);
}

/**
 * Converts a result to JSON. A plan becomes a saved plan, in the form that docs/saved-plans.md describes, with the desired state
 * that it was made from. Amounts stay exact.
 */
export async function toJSON(result: KeyplaneResult): Promise<Json> {
  if ('changes' in result) return await savedPlan(result);
  if ('refusals' in result) {
    const { plan, ...rest } = result;
    const kind = 'outlook' in result ? 'drift' : 'review';
    return { kind, version: VERSION, plan: await savedPlan(plan), data: encoded(rest) };
  }
  return { kind: 'outcomes' in result ? 'apply' : 'check', version: VERSION, data: encoded(result) };
}

async function savedPlan(plan: Plan): Promise<Json> {
  const { encodePlan } = await import('../manifest/index.ts');
  return encodePlan(plan, desiredIfKnown(plan));
}

const unreadable = (message: string, cause?: unknown): Fault => new Fault('plan.unreadable', message, { cause });

function parse(json: string | Json): ResultMembers {
  let data: Json;
  try {
    data = typeof json === 'string' ? JSON.parse(json) : json;
  } catch (thrown) {
    throw unreadable('The text is not JSON.', thrown);
  }
  if (isMembers(data)) return data;
  throw unreadable('The JSON is not a result of Keyplane.');
}

function dataOf({ version, data }: ResultMembers): unknown {
  if (version === VERSION) return revived(data);
  throw unreadable(
    `The JSON has version ${JSON.stringify(version)}; this version of Keyplane reads version ${VERSION}.`,
  );
}

const planOf = (members: Json | undefined): Promise<Plan> => readPlan(JSON.stringify(members ?? null));

const READERS: { readonly [K in ResultKind]: (members: ResultMembers) => Promise<Results[K]> } = {
  'saved-plan': planOf,
  review: async (members) => ({ ...(dataOf(members) as Review), plan: await planOf(members.plan) }),
  drift: async (members) => ({ ...(dataOf(members) as DriftReview), plan: await planOf(members.plan) }),
  apply: async (members) => dataOf(members) as ApplyReport,
  check: async (members) => dataOf(members) as CheckReport,
};

/**
 * Reads the JSON of a result. A plan can be applied again: one that was edited since is rejected.
 *
 * @throws KeyplaneError `plan.unreadable`
 */
export async function fromJSON<K extends ResultKind>(json: string | Json, kind: K): Promise<Results[K]> {
  const members = parse(json);
  if (members.kind === kind) return await READERS[kind](members);
  throw unreadable(`The JSON is of the kind ${JSON.stringify(members.kind ?? null)}, not ${JSON.stringify(kind)}.`);
}
