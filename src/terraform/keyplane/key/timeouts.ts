import { Fault } from '../../../domain/index.ts';
import { isObject, isUnknown, type TerraformObject, type TerraformValue } from '../../codec/value.ts';
import type { OperationContext } from '../../provider/definition.ts';
import type { DiagnosticContent } from '../../provider/diagnostics.ts';
import type { Attribute } from '../../provider/schema.ts';
import type { Client } from '../client.ts';
import { timedStore } from '../store/timed-store.ts';

/** The operations on a key whose time can be limited. */
const OPERATIONS = ['create', 'read', 'update', 'delete'] as const;
type TimedOperation = (typeof OPERATIONS)[number] | 'open' | 'invoke';

const ARTICLES: Partial<Record<TimedOperation, 'an'>> = { update: 'an', open: 'an', invoke: 'an' };

/** The noun for an operation. */
export const nounOf = (operation: TimedOperation): string => (operation === 'invoke' ? 'invocation' : operation);

const UNITS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };
const PART = /(\d+(?:\.\d+)?)(ms|h|m|s)/g;
/** Timers of a longer duration would end immediately. */
const MOST_MS = 24 * 3_600_000;

/** Parses a duration as Go writes it, such as `1h30m`. Returns milliseconds; undefined when it is malformed, zero or too long. */
function tryParseTimeout(text: string): number | undefined {
  if (text === '' || text.replaceAll(PART, '') !== '') return undefined;
  const ms = [...text.matchAll(PART)].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (UNITS[unit] ?? 0),
    0,
  );
  return ms >= 1 && ms <= MOST_MS ? ms : undefined;
}

function timeoutErrors(value: TerraformValue): readonly DiagnosticContent[] {
  if (tryParseTimeout(String(value)) !== undefined) return [];
  return [
    {
      summary: 'Invalid timeout',
      detail: `${JSON.stringify(value)}: expected a duration such as \`30s\`, \`10m\` or \`1h30m\`, at most \`24h\`.`,
    },
  ];
}

const limitOf = (operation: TimedOperation): Attribute => ({
  type: 'string',
  set: 'optional',
  description: `Longest time for ${ARTICLES[operation] ?? 'a'} ${nounOf(operation)}, such as \`10m\` or \`1h30m\`.`,
  check: timeoutErrors,
});

const OMITTED = 'Omitted: each request waits as long as `max_wait` of the provider.';

/** The block with the time limits of these operations. */
export const timeoutsFor = (
  operations: readonly TimedOperation[],
  description = `Longest time, waits for rate limits included. ${OMITTED}`,
): Attribute => ({
  nesting: 'single',
  isBlock: true,
  set: 'optional',
  attributes: Object.fromEntries(operations.map((operation) => [operation, limitOf(operation)])),
  description,
});

export const TIMEOUTS = timeoutsFor(
  OPERATIONS,
  `Longest times for the operations on this key and for the plans of them, waits for rate limits included. A request that was sent is never abandoned. ${OMITTED}`,
);

function textOf({ timeouts = null }: TerraformObject, operation: TimedOperation): string | undefined {
  const text = isObject(timeouts) ? (timeouts[operation] ?? null) : null;
  return text === null || isUnknown(text) ? undefined : String(text);
}

/** The time limit of an operation, in a configuration or a state. */
export function timeoutOf(state: TerraformObject, operation: TimedOperation) {
  const text = textOf(state, operation);
  const ms = text === undefined ? undefined : tryParseTimeout(text);
  return text === undefined || ms === undefined ? undefined : { text, ms };
}

/** Runs an operation with the time that a configuration or a state gives it. */
export async function withinTimeout<A>(
  { operation, state }: { readonly operation: TimedOperation; readonly state: TerraformObject },
  context: OperationContext<Client>,
  work: (context: OperationContext<Client>) => Promise<A>,
): Promise<A> {
  const limit = timeoutOf(state, operation);
  if (limit === undefined) return await work(context);
  const { text, ms } = limit;
  const { client } = context;
  const end = new AbortController();
  const fault = new Fault('gateway.rate-limited', `The ${operation} took longer than its timeout of ${text}.`, {
    hint: `Nothing further was sent. Raise \`timeouts.${operation}\`: a gateway that limits requests may need minutes.`,
  });
  const store = timedStore(client.store, { ms, fault, sleep: client.sleep, signal: end.signal });
  try {
    return await work({ ...context, client: { ...client, store } });
  } finally {
    end.abort();
  }
}
