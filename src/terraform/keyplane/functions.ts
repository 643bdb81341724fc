import {
  canonicalIpRules,
  type Decimal,
  Fault,
  type IpRule,
  parseIpRule,
  quota,
  quotaFromUsd,
  tryParseDecimal,
  usdFromQuota,
} from '../../domain/index.ts';
import { numberFrom, numberText, type TerraformNumber, type TerraformValue } from '../codec/value.ts';
import { ArgumentError, type FunctionDefinition } from '../provider/definition.ts';

/** Units for one dollar in a gateway’s default configuration. */
const DEFAULT_RATE = 500_000;

const RATE = {
  name: 'quota_per_unit',
  type: 'number',
  description: `Quota units for one dollar. Default: ${DEFAULT_RATE}. \`keyplane_account\` returns the gateway’s rate.`,
} as const;

function decimalAt(value: TerraformValue, position: number): Decimal {
  const decimal = tryParseDecimal(numberText(value as TerraformNumber));
  if (decimal !== undefined) return decimal;
  throw new ArgumentError('expected a decimal number', position);
}

function rateOf(rest: readonly TerraformValue[]): Decimal {
  const rate = decimalAt(rest[0] ?? DEFAULT_RATE, 1);
  if (rest.length > 1) throw new ArgumentError('expected at most one rate', 2);
  if (rate.digits > 0n) return rate;
  throw new ArgumentError('the rate must be above 0', 1);
}

function quotaAt(usd: Decimal, rate: Decimal): number {
  try {
    return quotaFromUsd(usd, rate);
  } catch (thrown) {
    // Core ends the sentence itself.
    throw thrown instanceof Fault ? new ArgumentError(thrown.message.replace(/\.$/, ''), 0) : thrown;
  }
}

const USD_TO_QUOTA: FunctionDefinition = {
  summary: 'Dollars to quota units',
  description: 'Converts an amount of dollars to quota units, rounded to the nearest unit.',
  parameters: [{ name: 'usd', type: 'number', description: 'Dollars.' }],
  variadic: RATE,
  returns: 'number',
  call: (usd = null, ...rest) => quotaAt(decimalAt(usd, 0), rateOf(rest)),
};

const MICRO = 6;

const QUOTA_TO_USD: FunctionDefinition = {
  summary: 'Quota units to dollars',
  description: 'Converts quota units to dollars, to six decimals.',
  parameters: [{ name: 'quota', type: 'number', description: 'Quota units, a whole number.' }],
  variadic: RATE,
  returns: 'number',
  call(units = null, ...rest) {
    const whole = Number(numberText(units as TerraformNumber));
    if (!Number.isSafeInteger(whole)) throw new ArgumentError('expected a whole number of quota units', 0);
    return numberFrom(usdFromQuota(quota(whole), rateOf(rest), MICRO).replace(/\.?0+$/, ''));
  },
};

function ruleAt(text: string): IpRule {
  const parsed = parseIpRule(text);
  if (parsed.ok) return parsed.rule;
  const correction = parsed.corrected === undefined ? '' : ` (did you mean ${parsed.corrected}?)`;
  throw new ArgumentError(`${JSON.stringify(text)}: ${parsed.problem}${correction}`, 0);
}

const PARSE_IP_RULES: FunctionDefinition = {
  summary: 'Address rules in canonical form',
  description:
    'Converts addresses and CIDR ranges to the form that a gateway stores: sorted, without duplicates, with prefix.',
  parameters: [{ name: 'rules', type: ['list', 'string'], description: 'Addresses and CIDR ranges, IPv4 or IPv6.' }],
  returns: ['list', 'string'],
  call: (rules = null) => canonicalIpRules((rules as readonly string[]).map(ruleAt)),
};

export const FUNCTIONS = {
  usd_to_quota: USD_TO_QUOTA,
  quota_to_usd: QUOTA_TO_USD,
  parse_ip_rules: PARSE_IP_RULES,
} as const;
