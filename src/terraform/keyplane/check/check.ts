import { PassThrough } from 'node:stream';
import { type CheckResult, type Decimal, quota, usdFromQuota } from '../../../domain/index.ts';
import { numberFrom, type TerraformObject } from '../../codec/value.ts';
import type { Action, DataSource, OperationContext } from '../../provider/definition.ts';
import { DiagnosticError } from '../../provider/diagnostics.ts';
import type { Client } from '../client.ts';
import { parseCheckConfig } from './config.ts';
import { type CheckEnvironment, runCheck, systemEnvironment } from './run.ts';
import { CHECK_ARGUMENTS, costlyErrors } from './schema.ts';
import { progressLine, verdictLine } from './text.ts';

const MICRO = 6;

const PURPOSE =
  'Sends a real request with a key’s credential, to check that the key works or that the gateway rejects what the key must not do. ';

/** The result without times, which differ at each plan. */
function encodeResult(result: CheckResult, rate: Decimal): TerraformObject {
  const { verdict, model, cost, attempts } = result;
  const { charged = attempts === 0 ? quota(0) : undefined } = cost;
  return {
    model: model ?? null,
    verdict,
    passed: verdict === 'passed',
    message: verdictLine(result),
    cost_quota: charged ?? null,
    cost_usd: charged === undefined ? null : numberFrom(usdFromQuota(charged, rate, MICRO).replace(/\.?0+$/, '')),
  };
}

/** The data source: assertions of the configuration judge its result. */
export const checkSource = (openEnvironment: () => Promise<CheckEnvironment>): DataSource<Client> => ({
  schema: {
    version: 0,
    description:
      `${PURPOSE}A failed check is not an error by itself: test \`passed\` in a \`postcondition\`, or in an \`assert\` of a ` +
      '`check` block.\n\n' +
      '~> It runs, and may cost money, at each plan and refresh, unless it depends on something that is known only ' +
      'after the apply. Paid media run only with `costly = true`.',
    attributes: {
      ...CHECK_ARGUMENTS,
      model: {
        type: 'string',
        set: 'optional or computed',
        description: 'The model to use. Default: one of the key’s own.',
      },
      verdict: {
        type: 'string',
        set: 'computed',
        description: '`passed` or `failed`; `skipped` or `unprovable` if nothing was proven.',
      },
      passed: { type: 'bool', set: 'computed', description: 'Whether the verdict is `passed`.' },
      message: {
        type: 'string',
        set: 'computed',
        description: 'The verdict and its reason in one line, for assertions.',
      },
      cost_quota: {
        type: 'number',
        set: 'computed',
        description: 'The cost in quota units; null where the usage log does not report it.',
      },
      cost_usd: { type: 'number', set: 'computed', description: 'The same in dollars, to six decimals.' },
    },
    check: costlyErrors,
  },
  async read(config, { client, signal }) {
    const result = await runCheck(parseCheckConfig(config), { client, signal, environment: await openEnvironment() });
    const rate = await client.store.quotaPerUnit();
    return { ...config, ...encodeResult(result, rate) };
  },
});

/** Runs a check, and yields lines of progress. */
async function* runWithProgress(
  config: TerraformObject,
  { client, signal }: OperationContext<Client>,
  environment: CheckEnvironment,
) {
  const rate = await client.store.quotaPerUnit();
  const lines = new PassThrough({ objectMode: true });
  const running = runCheck(parseCheckConfig(config), {
    client,
    signal,
    environment,
    onEvent: (event) => {
      const line = progressLine(event, rate);
      if (line !== undefined) lines.write(line);
    },
  }).finally(() => lines.end());
  // A caller that stops reading lines ignores the result.
  running.catch(() => undefined);
  for await (const line of lines) yield String(line);
  return await running;
}

/** The action: runs after an apply, or on demand. */
export const checkAction = (openEnvironment: () => Promise<CheckEnvironment>): Action<Client> => ({
  schema: {
    version: 0,
    description: `${PURPOSE}Fails when the check fails. For Terraform 1.14 and newer. Paid media run only with \`costly = true\`.`,
    attributes: CHECK_ARGUMENTS,
    check: costlyErrors,
  },
  async *invoke(config, context) {
    const result = yield* runWithProgress(config, context, await openEnvironment());
    const message = verdictLine(result);
    if (result.verdict === 'failed') throw new DiagnosticError({ summary: 'The check failed', detail: message });
    if (result.verdict === 'passed') yield message;
    else context.warn({ summary: 'The check proved nothing', detail: message });
  },
});

export const CHECK_SOURCE = checkSource(systemEnvironment);
export const CHECK_ACTION = checkAction(systemEnvironment);
