import { type Decimal, Fault, tryParseDecimal, tryParseDuration } from '../../../domain/index.ts';
import type { Context } from '../../program/command.ts';
import { text } from '../../program/option.ts';

/** @throws Fault `usage.invalid` */
export function maxCost({ given }: Pick<Context, 'given'>): Decimal | undefined {
  const value = text(given, 'max-cost');
  if (value === undefined) return undefined;
  const usd = tryParseDecimal(value);
  if (usd !== undefined && usd.digits >= 0n) return usd;
  throw new Fault('usage.invalid', `--max-cost takes dollars, such as 0.50, not ${JSON.stringify(value)}.`);
}

/** Flags that have a meaning only with another flag. */
const NEEDS: readonly (readonly [flag: string, other: string])[] = [
  ['callback-url', 'callback-listen'],
  ['metrics', 'every'],
];

/** @throws Fault `usage.invalid` for a flag without the one that it requires, and for an invalid proxy */
export function refuseHalfFlags({ given }: Pick<Context, 'given'>): void {
  for (const [flag, other] of NEEDS) {
    if (text(given, flag) === undefined || text(given, other) !== undefined) continue;
    throw new Fault('usage.invalid', `--${flag} requires --${other}.`);
  }
  const proxy = text(given, 'vantage-proxy');
  if (proxy === undefined || /^https?:$/.test(URL.canParse(proxy) ? new URL(proxy).protocol : '')) return;
  throw new Fault('usage.invalid', `--vantage-proxy takes an http or https address, not ${JSON.stringify(proxy)}.`);
}

/** Seconds. @throws Fault `usage.invalid` */
export function interval({ given }: Pick<Context, 'given'>): number | undefined {
  const value = text(given, 'every');
  if (value === undefined) return undefined;
  const seconds = tryParseDuration(value);
  if (seconds !== undefined) return seconds;
  throw new Fault('usage.invalid', `--every takes a time like 5m or 1h, not ${JSON.stringify(value)}.`);
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
  throw new Fault('usage.invalid', `--${flag} takes an address like 127.0.0.1:9464, not ${JSON.stringify(value)}.`);
}
