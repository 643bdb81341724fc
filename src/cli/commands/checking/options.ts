import { type Decimal, Fault, tryParseDecimal, tryParseDuration } from '../../../domain/index.ts';
import type { Context } from '../../program/command.ts';
import { text } from '../../program/option.ts';

/** @throws Fault `usage.invalid` */
export function maxCost({ given }: Pick<Context, 'given'>): Decimal | undefined {
  const value = text(given, 'max-cost');
  if (value === undefined) return undefined;
  const usd = tryParseDecimal(value);
  if (usd !== undefined && usd.digits >= 0n) return usd;
  throw new Fault(
    'usage.invalid',
    `Invalid value ${JSON.stringify(value)} for --max-cost: expected an amount in dollars, such as 0.50.`,
  );
}

/** Flags that have a meaning only with another flag. */
const NEEDS: readonly (readonly [flag: string, other: string])[] = [
  ['callback-url', 'callback-listen'],
  ['metrics', 'every'],
];

/** @throws Fault `usage.invalid` for a flag without the one that it requires, and for an invalid proxy */
export function refuseIncompleteFlags({ given }: Pick<Context, 'given'>): void {
  for (const [flag, other] of NEEDS) {
    if (text(given, flag) === undefined || text(given, other) !== undefined) continue;
    throw new Fault('usage.invalid', `--${flag} requires --${other}.`);
  }
  const proxy = text(given, 'vantage-proxy');
  if (proxy === undefined || /^https?:$/.test(URL.canParse(proxy) ? new URL(proxy).protocol : '')) return;
  // Not repeated: without its scheme, a URL with a password is not recognized as one.
  throw new Fault('usage.invalid', 'Invalid value for --vantage-proxy: expected an http or https URL.');
}

/** Seconds. @throws Fault `usage.invalid` */
export function interval({ given }: Pick<Context, 'given'>): number | undefined {
  const value = text(given, 'every');
  if (value === undefined) return undefined;
  const seconds = tryParseDuration(value);
  if (seconds !== undefined) return seconds;
  throw new Fault(
    'usage.invalid',
    `Invalid value ${JSON.stringify(value)} for --every: expected a duration, such as 5m or 1h.`,
  );
}

/** `127.0.0.1:9464`, `[::1]:0`, or a port alone. @throws Fault `usage.invalid` */
export function listenAddress(
  { given }: Pick<Context, 'given'>,
  flag: string,
): { host: string; port: number } | undefined {
  const value = text(given, flag);
  if (value === undefined) return undefined;
  const [, host, plain, port = ''] = /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(value) ?? [];
  if (port !== '' && Number(port) <= 65_535) return { host: host ?? plain ?? '127.0.0.1', port: Number(port) };
  throw new Fault(
    'usage.invalid',
    `Invalid value ${JSON.stringify(value)} for --${flag}: expected an address such as 127.0.0.1:9464.`,
  );
}
