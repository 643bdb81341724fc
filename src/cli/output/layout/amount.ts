import { type Decimal, type Quota, usdFromQuota } from '../../../domain/index.ts';

/** `1,250.50` */
export const grouped = (digits: string): string => digits.replace(/(?<!\..*)\B(?=(\d{3})+(?!\d))/g, ',');

/** `12,500,000` */
export const renderUnits = (units: number): string => grouped(String(units));

const withSign = (amount: string): string => {
  const [sign, magnitude] = amount.startsWith('-') ? ['-', amount.slice(1)] : ['', amount];
  const [whole = '0', fraction = '00'] = magnitude.split('.');
  return `${sign}$${grouped(whole)}.${fraction}`;
};

/** `25.00`; an amount with fractions of a cent keeps the digits that it needs, up to six decimals. */
export const exactUsd = (units: Quota | bigint, quotaPerUnit: Decimal): string =>
  usdFromQuota(units, quotaPerUnit, 6).replace(/0{1,4}$/, '');

/** {@link exactUsd} for people: `$25.00`, `$1,250.50`. */
export const renderUsd = (units: Quota | bigint, quotaPerUnit: Decimal): string =>
  withSign(exactUsd(units, quotaPerUnit));

/** `$25.00 (12,500,000 units)` */
export const renderMoney = (units: Quota, quotaPerUnit: Decimal): string =>
  `${renderUsd(units, quotaPerUnit)} (${counted(units, 'unit')})`;

/** `at most $25.00` for an upper bound, `about $25.00` for an expectation. */
export const renderEstimated = (amount: string, isMaximum: boolean): string =>
  `${isMaximum ? 'at most' : 'about'} ${amount}`;

/** `a, b, c`; of many the first, and how many more there are: `a, b and 198 more`. */
export const renderFirst = (texts: readonly string[], most: number): string => {
  const shown = texts.slice(0, most).join(', ');
  return texts.length > most ? `${shown} and ${renderUnits(texts.length - most)} more` : shown;
};

/** `1 key`, `2 keys` */
export const counted = (n: number, one: string, many = `${one}s`): string =>
  `${renderUnits(n)} ${n === 1 ? one : many}`;
