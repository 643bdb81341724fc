import { PassThrough } from 'node:stream';
import { type CheckResult, type Decimal, usdFromQuota } from '../../../domain/index.ts';
import { numberFrom, type ObjectValue } from '../../codec/value.ts';
import type { Action, DataSource, OperationContext } from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { wishOf } from './config.ts';
import { prove, systemWorld, type World } from './run.ts';
import { CHECK_ARGUMENTS, costlyProblems } from './schema.ts';
import { messageOf, progressOf } from './text.ts';

const MICRO = 6;

const PROVES =
  'Proves that a key works, or that what is forbidden to it is refused, by a real request with its credential. ';

/** What came of it. Times are left out: they differ at each plan. */
function outcomeValue(result: CheckResult, rate: Decimal): ObjectValue {
  const { verdict, model, cost } = result;
  const { charged } = cost;
  return {
    model: model ?? null,
    verdict,
    passed: verdict === 'passed',
    message: messageOf(result),
    cost_quota: charged ?? null,
    cost_usd: charged === undefined ? null : numberFrom(usdFromQuota(charged, rate, MICRO).replace(/\.?0+$/, '')),
  };
}

/** A check that is read: assertions of the configuration judge it. @param openWorld what is context it */
export const checkSource = (openWorld: () => Promise<World>): DataSource<Client> => ({
  schema: {
    version: 0,
    description:
      `${PROVES}A check that fails is no error by itself: a \`postcondition\`, or an \`assert\` of a \`check\` block, ` +
      'asks for `passed`.\n\n' +
      '~> It runs, and may spend, at each plan and refresh, unless something that it depends on is known only after ' +
      'the apply. Paid media run only with `costly = true`.',
    attributes: {
      ...CHECK_ARGUMENTS,
      model: {
        type: 'string',
        set: 'optional or computed',
        description: 'The model that is asked; one of the key’s own unless given.',
      },
      verdict: {
        type: 'string',
        set: 'computed',
        description: '`passed` or `failed`; `skipped` or `unprovable` where nothing was proven.',
      },
      passed: { type: 'bool', set: 'computed', description: 'Is the verdict `passed`?' },
      message: { type: 'string', set: 'computed', description: 'The verdict in one line, and why: for assertions.' },
      cost_quota: { type: 'number', set: 'computed', description: 'What it cost, where the usage log tells.' },
      cost_usd: { type: 'number', set: 'computed', description: 'The same in dollars, to six decimals.' },
    },
    check: costlyProblems,
  },
  async read(config, { client, signal }) {
    const result = await prove(wishOf(config), { client, signal, world: await openWorld() });
    const rate = await client.store.quotaPerUnit();
    return { ...config, ...outcomeValue(result, rate) };
  },
});

/** Runs it, and says what happens meanwhile. */
async function* told(config: ObjectValue, { client, signal }: OperationContext<Client>, world: World) {
  const rate = await client.store.quotaPerUnit();
  const lines = new PassThrough({ objectMode: true });
  const proving = prove(wishOf(config), {
    client,
    signal,
    world,
    onEvent: (event) => {
      const line = progressOf(event, rate);
      if (line !== undefined) lines.write(line);
    },
  }).finally(() => lines.end());
  // Whoever stops listening to the lines has no use for what comes of it.
  proving.catch(() => undefined);
  for await (const line of lines) yield String(line);
  return await proving;
}

/** A check that is done, after something was applied or when somebody asks. @param openWorld what is context it */
export const checkAction = (openWorld: () => Promise<World>): Action<Client> => ({
  schema: {
    version: 0,
    description: `${PROVES}Fails when the check fails. For Terraform 1.14 and newer. Paid media run only with \`costly = true\`.`,
    attributes: CHECK_ARGUMENTS,
    check: costlyProblems,
  },
  async *invoke(config, context) {
    const result = yield* told(config, context, await openWorld());
    const message = messageOf(result);
    if (result.verdict === 'failed') throw new DiagnosticError({ summary: 'The check failed', detail: message });
    if (result.verdict === 'passed') yield message;
    else context.warn({ summary: 'The check proved nothing', detail: message });
  },
});

export const CHECK_SOURCE = checkSource(systemWorld);
export const CHECK_ACTION = checkAction(systemWorld);
