/** Hints made from a wrong value: each guesses what the person meant, and is silent when it cannot. */

const AMOUNT = /^(?:\$\s?)?(\d+(?:\.\d+)?)(?:\s?(?:USD|dollars?|\$))?$/iu;

/** Advises on an amount of US dollars: `1,000`, `2,50`, `$5` or `5 USD`. */
export function adviseAmount(text: string): string | undefined {
  if (/^\d{1,3}(,\d{3})+(\.\d+)?$/u.test(text))
    return `Remove the comma. Did you mean \`${text.replaceAll(',', '')}\`?`;
  if (/^\d+,\d{1,2}$/u.test(text)) return `Write a decimal point. Did you mean \`${text.replace(',', '.')}\`?`;
  const [, digits] = AMOUNT.exec(text) ?? [];
  return digits === undefined
    ? undefined
    : `Remove the currency: \`usd\` is in US dollars. Did you mean \`usd: ${digits}\`?`;
}

const WINDOWS: Readonly<Record<string, string>> = {
  hourly: 'hour',
  daily: 'day',
  weekly: 'week',
  monthly: 'month',
};

/** Advises on a window of time: `monthly`, `Month`, `months` or `30 days`. */
export function adviseWindow(text: string): string | undefined {
  const folded = text.trim().toLowerCase();
  const [, days] = /^([1-9]\d{0,3})\s?d(?:ays?)?$/u.exec(folded) ?? [];
  const word = WINDOWS[folded] ?? /^(hour|day|week|month)s?$/u.exec(folded)?.[1];
  const meant = days === undefined ? word : `${days}d`;
  return meant === undefined ? undefined : `Did you mean \`per: ${meant}\`?`;
}

/** Advises on a budget that is one value: `5`, `$5`, `5 USD` or `5/month`. */
export function adviseBudget(text: string): string | undefined {
  const [amount = '', window] = text.split('/');
  const [, digits] = AMOUNT.exec(amount.trim()) ?? [];
  if (digits === undefined) return undefined;
  if (window === undefined) return `Did you mean \`budget: { usd: ${digits} }\`?`;
  const per = /^\s?(hour|day|week|month)$/u.exec(window)?.[1];
  return per && `Did you mean \`budget: { usd: ${digits}, per: ${per} }\`?`;
}

/** Advises on a threshold without its unit. */
export function adviseBelow(text: string): string | undefined {
  const [, digits] = AMOUNT.exec(text) ?? [];
  return digits === undefined ? undefined : `Name the unit. Did you mean \`below: { usd: ${digits} }\`?`;
}

/** Advises on a list that is one string. */
export function adviseList(text: string): string | undefined {
  if (/^\d/u.test(text) || text.trim() === '') return undefined;
  if (/^-\S/u.test(text)) return 'Write a space after each `-` of a list.';
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) return undefined;
  return items.length > 1 ? `Did you mean \`[${items.join(', ')}]\`?` : `Write \`[${text}]\` for a list of one.`;
}

const insideBudget = (name: string, value: string): string =>
  `\`${name}\` belongs inside \`budget\`: \`budget: { ${value} }\`.`;

/** Hints for fields of a key that are misplaced, or that are named otherwise. */
export const KEY_ELSEWHERE: Readonly<Record<string, string>> = {
  usd: insideBudget('usd', 'usd: 5'),
  quota: insideBudget('quota', 'quota: 2500000'),
  per: insideBudget('per', 'usd: 5, per: month'),
  below: insideBudget('below', 'usd: 25, below: { usd: 5 }'),
  initial: insideBudget('initial', 'usd: 5, initial: true'),
  limit: 'Write the limit as a budget: `budget: { usd: 5, per: month }`.',
  unlimited: 'Write `budget: unlimited`.',
  disabled: 'Write `enabled: false` for a disabled key.',
  ips: 'Did you mean `allowIps`?',
};

/** Hints for fields of a section or of a key at the top of the file. */
export const ROOT_ELSEWHERE: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['scope', 'prune', 'protect'].map((name) => [name, `Indent \`${name}\` below \`ownership:\`.`]),
  ),
  ...Object.fromEntries(
    ['url', 'userId', 'accessTokenFile'].map((name) => [name, `Indent \`${name}\` below \`gateway:\`.`]),
  ),
  ...Object.fromEntries(
    ['group', 'models', 'allowIps', 'expires', 'budget', 'enabled'].map((name) => [
      name,
      `Indent \`${name}\` below \`defaults:\`, or below the name of a key.`,
    ]),
  ),
};
