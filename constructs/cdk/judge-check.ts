import { CHECK_MODULES, nameProblem, OPEN, tryParseDecimal, tryParseDuration } from '../../src/domain/index.ts';
import type { SmokeCheckProps } from './smoke-check-props.ts';
import { isUnresolved } from './unresolved.ts';

const LONGEST_S = 24 * 3600;
const MOST_RETRIES = 5;

const known = <T>(value: T | undefined): T | typeof OPEN | undefined => (isUnresolved(value) ? OPEN : value);

function moduleProblem({ module, costly }: SmokeCheckProps): string | undefined {
  const modules: readonly string[] = Object.values(CHECK_MODULES).flat();
  if (!modules.includes(module))
    return `\`module\`: There is no ${JSON.stringify(module)}. Modules: ${modules.join(', ')}.`;
  const isPaid = (CHECK_MODULES.media as readonly string[]).includes(module);
  if (!isPaid || costly === true || known(costly) === OPEN) return undefined;
  return `\`costly\`: ${module} is paid for each time that it runs. Where that is meant, write \`costly: true\`.`;
}

function timeoutProblem(timeout: SmokeCheckProps['timeout']): string | undefined {
  if (timeout === undefined || known(timeout) === OPEN) return undefined;
  const seconds = tryParseDuration(timeout);
  if (seconds !== undefined && seconds <= LONGEST_S) return undefined;
  return '`timeout`: A length of time like 30s or 10m is wanted, a day at most.';
}

function retriesProblem(retries: SmokeCheckProps['retries']): string | undefined {
  if (retries === undefined || known(retries) === OPEN) return undefined;
  const isRight = Number.isSafeInteger(retries) && retries >= 0 && retries <= MOST_RETRIES;
  return isRight ? undefined : `\`retries\`: A whole number from 0 to ${MOST_RETRIES} is wanted.`;
}

function costProblem(field: string, amount: number | string | undefined): string | undefined {
  if (amount === undefined || known(amount) === OPEN) return undefined;
  const usd = tryParseDecimal(String(amount));
  return usd && usd.digits >= 0n ? undefined : `\`${field}\`: An amount of dollars is not below 0.`;
}

function matchesProblem(matches: string | undefined): string | undefined {
  if (matches === undefined || known(matches) === OPEN) return undefined;
  try {
    new RegExp(matches, 'u');
    return undefined;
  } catch {
    return '`expect.matches`: It is no regular expression.';
  }
}

/** What is wrong with a check as it was written; its request is held against the gateway’s limits when it is planned. */
export function judgeCheck(check: SmokeCheckProps & { readonly name: string }): readonly string[] {
  const name = nameProblem(check.name);
  return [
    name === undefined ? undefined : `\`name\`: ${name}.`,
    moduleProblem(check),
    timeoutProblem(check.timeout),
    retriesProblem(check.retries),
    costProblem('maxCostUsd', check.maxCostUsd),
    costProblem('expect.maxCost', check.expect?.maxCost),
    matchesProblem(check.expect?.matches),
  ].filter((problem) => problem !== undefined);
}
