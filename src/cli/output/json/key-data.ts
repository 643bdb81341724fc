import {
  type Decimal,
  effectiveStatus,
  type Json,
  maskOf,
  type ObservedKey,
  renderInstant,
  type UnixSeconds,
  usdFromQuota,
} from '../../../domain/index.ts';
import { masked } from './envelope.ts';

/** A key as machines read it: settings by their manifest names, money in units and in dollars, times as text. */
export function keyData(key: ObservedKey, { quotaPerUnit, now }: { quotaPerUnit: Decimal; now: UnixSeconds }): Json {
  const usd = (units: ObservedKey['remain'] | undefined) =>
    units === undefined ? undefined : usdFromQuota(units, quotaPerUnit, 6);
  return masked({
    id: key.id,
    name: key.name,
    status: effectiveStatus(key, now),
    storedStatus: key.status,
    group: key.group,
    crossGroupRetry: key.crossGroupRetry,
    models: key.models,
    allowIps: key.allowIps,
    expires: key.expires === null ? null : renderInstant(key.expires),
    unlimited: key.unlimited,
    remaining: { quota: key.remain, usd: usd(key.remain) },
    used: key.used === undefined ? null : { quota: key.used, usd: usd(key.used) },
    created: key.createdAt === undefined ? null : renderInstant(key.createdAt),
    smartRouting: key.smartRouting,
    masked: maskOf(key),
  });
}
