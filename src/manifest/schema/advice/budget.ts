/** Hints for budgets: each guesses what the person meant, and is silent when it cannot. */

import { BUDGET_FIELDS } from '../../../domain/index.ts';
import { didYouMean, fieldsIn, inFlow } from './form.ts';
import { isSlipFor } from './text.ts';

/** Reads an amount as people write it: `1,000`, `1.000,50`, `2,50`, `1_000`, `1k`. @returns plain digits */
function tryReadAmount(text: string): string | undefined {
  if (/^\d+(\.\d+)?$/u.test(text)) return text;
  if (/^\d{1,3}([,_ ']\d{3})+(\.\d+)?$/u.test(text)) return text.replace(/[,_ ']/gu, '');
  if (/^\d{1,3}(\.\d{3})+,\d+$/u.test(text)) return text.replaceAll('.', '').replace(',', '.');
  if (/^\d+,\d{1,2}$/u.test(text)) return text.replace(',', '.');
  const [, thousands] = /^(\d{1,6})k$/iu.exec(text) ?? [];
  return thousands && `${thousands}000`;
}

const DOLLARS = /^(?:US\$|\$|USD)\s?(.+)$|^(.+?)\s?(?:US\$|\$|USD|US dollars?|dollars?)$/iu;

/** Returns the plain digits of an amount of dollars, with or without its currency. */
function tryReadDollars(text: string): string | undefined {
  const [, after, before] = DOLLARS.exec(text.trim()) ?? [];
  return tryReadAmount(after ?? before ?? text.trim());
}

/** `unlimited`, or a word or a slip for it. */
const isUnlimited = (text: string): boolean =>
  /^(infinite|infinity|unlimit|unrestricted|max|-1)$/iu.test(text) || isSlipFor('unlimited', text);

/** Advises on an amount of US dollars: `1,000`, `2,50`, `$5`, `5 USD`, `5/month` or `unlimited`. */
export function adviseAmount(text: string): string | undefined {
  if (/[€£¥]|\b(EUR|GBP|CHF|JPY)\b/iu.test(text))
    return 'Amounts are in US dollars. Convert it, and write plain digits.';
  if (isUnlimited(text)) return didYouMean('budget: unlimited');
  const digits = tryReadDollars(text);
  if (digits === undefined) return adviseWindowed(text);
  if (digits === text) return undefined;
  const isCurrency = DOLLARS.test(text.trim());
  return `${isCurrency ? 'Remove the currency: `usd` is in US dollars' : 'Write plain digits'}. ${didYouMean(`usd: ${digits}`)}`;
}

/** Advises on a number that a comma in braces splits into two fields. */
export function adviseSplitNumber(name: string, text: string): string {
  const digits = tryReadAmount(text) ?? text.replaceAll(',', '');
  return `Write plain digits. ${didYouMean(`${name}: ${digits}`)}`;
}

const WINDOWS: Readonly<Record<string, string>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
  '1h': 'hour',
  '24h': 'day',
  '1w': 'week',
  year: '365d',
  yearly: '365d',
  annual: '365d',
  annually: '365d',
  life: 'lifetime',
  forever: 'lifetime',
  total: 'lifetime',
  never: 'lifetime',
};

/** Returns a window of time that people write otherwise: `monthly`, `Month`, `1 month`, `30 days` or `30`. */
function tryReadWindow(text: string): string | undefined {
  const folded = text.trim().toLowerCase();
  if (Object.hasOwn(WINDOWS, folded)) return WINDOWS[folded];
  const word = /^(?:(?:1|an?|each|every|per)\s?)?(hour|day|week|month)s?$/u.exec(folded)?.[1];
  if (word !== undefined) return word;
  const [, count, unit] = /^([1-9]\d{0,2})\s?(d|days?|w|weeks?)?$/u.exec(folded) ?? [];
  return count === undefined ? undefined : `${Number(count) * (unit?.startsWith('w') ? 7 : 1)}d`;
}

/** Advises on a window of time. */
export function adviseWindow(text: string): string | undefined {
  if (/^\d+\s?h(ours?)?$/u.test(text) && !/^(1|24)h/u.test(text)) return 'A window is one hour, or whole days.';
  const meant = tryReadWindow(text);
  return meant === undefined || meant === text ? undefined : didYouMean(`per: ${meant}`);
}

/** Advises on a budget that is one value: `5`, `$5`, `5 USD`, `5/month` or `none`. */
export function adviseBudget(text: string): string | undefined {
  if (/^(none|no|off|false)$/iu.test(text))
    return 'Write `budget: unlimited` for no ceiling, or `budget: { usd: 0 }` for a key that may not spend.';
  return isUnlimited(text) ? didYouMean('budget: unlimited') : adviseWindowed(text);
}

/** Advises on an amount, with or without its window: `5`, `5/month`, `5 per month`. */
function adviseWindowed(text: string): string | undefined {
  const [amount = '', window] = text.split(/\s?\/\s?|\s(?=per\s|an?\s|each\s|every\s|[a-z]+ly$)/u);
  const digits = tryReadDollars(amount);
  if (digits === undefined) return undefined;
  if (window === undefined) return didYouMean(`budget: { usd: ${digits} }`);
  const per = tryReadWindow(window);
  return per && didYouMean(`budget: { usd: ${digits}, per: ${per} }`);
}

/** Advises on a threshold without its unit. */
export function adviseBelow(text: string): string | undefined {
  if (text.endsWith('%')) return 'Write the amount itself, like `below: { usd: 5 }`: there are no percentages.';
  const digits = tryReadDollars(text);
  return digits === undefined ? undefined : `Name the unit. ${didYouMean(`below: { usd: ${digits} }`)}`;
}

/** Advises on a budget that is a list of its parts. */
export function adviseBudgetParts(data: unknown): string | undefined {
  const [only, ...others] = Array.isArray(data) ? data : [];
  if (others.length === 0 && ['string', 'number'].includes(typeof only)) return adviseBudget(String(only));
  if (typeof data === 'object' && data !== null && Object.keys(data).length === 0)
    return 'Write an amount, like `budget: { usd: 25 }`, or `budget: unlimited`.';
  const fields = Array.isArray(data) ? fieldsIn(data) : undefined;
  const isBudget = fields && Object.keys(fields).every((name) => Object.hasOwn(BUDGET_FIELDS, name));
  return isBudget ? `Remove the dashes. ${didYouMean(`budget: ${inFlow(fields)}`)}` : undefined;
}
