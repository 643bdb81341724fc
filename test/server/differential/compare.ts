import { type Answer, empty, type Operation, perform, readState, type Side, use } from './operation.ts';

/** Members whose values two peers never share: they become the same text if they have the same form. */
const OWN: Readonly<Record<string, (value: unknown, side: Side) => unknown>> = {
  id: (value, side) => ordinal(value, side),
  token_id: (value, side) => ordinal(value, side),
  user_id: () => '(the account)',
  username: () => '(the account)',
  key: (value) => (typeof value === 'string' ? value.replace(/[A-Za-z0-9]+/g, 'x') : value),
  // Which refusal it is shows in what was stored; servers word it in their own language.
  message: (value) => (value === '' ? '' : '(a text)'),
  channel: (value) => (Number(value) > 0 ? '(a channel)' : value),
  request_id: (value) => (value === '' ? '' : '(an id)'),
  created: recent,
  created_at: recent,
  created_time: recent,
  accessed_time: recent,
  use_time: () => '(a time)',
  frt: (value) => (Number(value) < 0 ? value : '(a time)'),
};

/** The place of a key for its id; other ids are all alike. */
const ordinal = (value: unknown, side: Side): unknown => {
  const place = side.seen.indexOf(value);
  if (place >= 0) return `(key ${place})`;
  return typeof value === 'string' ? '(an id)' : value === 0 || value === null ? value : '(an id)';
};

function recent(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value - Date.now() / 1000) < 3600 ? '(now)' : value;
}

/** Revealed values are members named by the ids of their keys. */
const nameOf = (member: string, { seen }: Side): string => {
  const place = seen.indexOf(Number(member));
  return place < 0 ? member : `(key ${place})`;
};

/** Removes what two peers never share. */
function normal(value: unknown, side: Side, name = ''): unknown {
  // A server finds it out a minute after a model was given a price.
  if (name === 'supported_endpoint_types') return '(types of endpoints)';
  if (Array.isArray(value)) return value.map((item) => normal(item, side));
  if (typeof value === 'string' && name === 'other') return normal(tryParse(value), side);
  if (typeof value !== 'object' || value === null)
    return (OWN[name] ?? (side.seen.includes(Number(name)) ? OWN.key : undefined))?.(value, side) ?? value;
  const members = Object.entries(value).map(([member, inner]) => [nameOf(member, side), normal(inner, side, member)]);
  return Object.fromEntries(members);
}

const tryParse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const normalOf = ({ status, body }: Answer, side: Side): object => ({
  status,
  body: typeof body === 'string' ? '(not JSON)' : normal(body, side),
});

/** One request, and how two peers differed. Differences are lines such as `body.success: true, but false`. */
export interface Step {
  readonly operation: Operation;
  /** Differences of the two answers. */
  readonly answers: readonly string[];
  /** Differences of the two listings afterwards. */
  readonly states: readonly string[];
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

function differencesOf(one: unknown, other: unknown, path = ''): readonly string[] {
  if (!isObject(one) || !isObject(other)) {
    const [a, b] = [JSON.stringify(one), JSON.stringify(other)];
    return a === b ? [] : [`${path}: ${a ?? 'absent'}, but ${b ?? 'absent'}`];
  }
  const members = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  return members.flatMap((member) =>
    differencesOf(one[member], other[member], path === '' ? member : `${path}.${member}`),
  );
}

async function step([one, other]: readonly [Side, Side], operation: Operation): Promise<Step> {
  const send = operation.path.startsWith('/v1/chat/') ? use : perform;
  const [a, b] = await Promise.all([send(one, operation), send(other, operation)]);
  const [stateOfA, stateOfB] = await Promise.all([readState(one), readState(other)]);
  return {
    operation,
    answers: differencesOf(normalOf(a, one), normalOf(b, other)),
    states: differencesOf(normalOf(stateOfA, one), normalOf(stateOfB, other)),
  };
}

/** Sends the requests to two peers whose accounts are emptied before. */
export async function play(sides: readonly [Side, Side], operations: readonly Operation[]): Promise<readonly Step[]> {
  await Promise.all(sides.map(empty));
  const steps: Step[] = [];
  for (const operation of operations) steps.push(await step(sides, operation));
  return steps;
}

export const differs = ({ answers, states }: Step): boolean => answers.length > 0 || states.length > 0;
