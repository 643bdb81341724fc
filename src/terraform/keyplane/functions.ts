import {
  canonicalIpRules,
  type Decimal,
  type IpRule,
  parseIpRule,
  quota,
  quotaFromUsd,
  tryParseDecimal,
  usdFromQuota,
} from '../../domain/index.ts';
import { type NumberValue, numberFrom, numberText, type Value } from '../codec/value.ts';
import { ArgumentError, type FunctionDefinition } from '../provider/definition.ts';

/** Units for one dollar, as gateways are delivered. */
const USUAL_RATE = 500_000;

const RATE = {
  name: 'quota_per_unit',
  type: 'number',
  description: `Quota units for one dollar; ${USUAL_RATE} unless given. \`keyplane_account\` tells it.`,
} as const;

function decimalAt(value: Value, position: number): Decimal {
  const decimal = tryParseDecimal(numberText(value as NumberValue));
  if (decimal !== undefined) return decimal;
  throw new ArgumentError('it is not a decimal number', position);
}

function rateOf(rest: readonly Value[]): Decimal {
  const rate = decimalAt(rest[0] ?? USUAL_RATE, 1);
  if (rest.length > 1) throw new ArgumentError('only one rate can be given', 2);
  if (rate.digits > 0n) return rate;
  throw new ArgumentError('a dollar has more than no units', 1);
}

const USD_TO_QUOTA: FunctionDefinition = {
  summary: 'Dollars to quota units',
  description: 'How many quota units an amount of dollars is, rounded to the nearest one.',
  parameters: [{ name: 'usd', type: 'number', description: 'Dollars.' }],
  variadic: RATE,
  returns: 'number',
  call: (usd = null, ...rest) => quotaFromUsd(decimalAt(usd, 0), rateOf(rest)),
};

const MICRO = 6;

const QUOTA_TO_USD: FunctionDefinition = {
  summary: 'Quota units to dollars',
  description: 'How many dollars an amount of quota units is, to six decimals.',
  parameters: [{ name: 'quota', type: 'number', description: 'Quota units, a whole number.' }],
  variadic: RATE,
  returns: 'number',
  call(units = null, ...rest) {
    const whole = Number(numberText(units as NumberValue));
    if (!Number.isSafeInteger(whole)) throw new ArgumentError('quota units are whole', 0);
    return numberFrom(usdFromQuota(quota(whole), rateOf(rest), MICRO).replace(/\.?0+$/, ''));
  },
};

function ruleAt(text: string): IpRule {
  const parsed = parseIpRule(text);
  if (parsed.ok) return parsed.rule;
  const meant = parsed.corrected === undefined ? '' : `; did you mean ${parsed.corrected}?`;
  throw new ArgumentError(`${JSON.stringify(text)}: ${parsed.problem}${meant}`, 0);
}

const PARSE_IP_RULES: FunctionDefinition = {
  summary: 'Address rules in canonical form',
  description:
    'Addresses and CIDR ranges in the form in which a gateway keeps them: sorted, without repetition, with prefix.',
  parameters: [{ name: 'rules', type: ['list', 'string'], description: 'Addresses and CIDR ranges, IPv4 or IPv6.' }],
  returns: ['list', 'string'],
  call: (rules = null) => canonicalIpRules((rules as readonly string[]).map(ruleAt)),
};

export const FUNCTIONS = {
  usd_to_quota: USD_TO_QUOTA,
  quota_to_usd: QUOTA_TO_USD,
  parse_ip_rules: PARSE_IP_RULES,
} as const;
