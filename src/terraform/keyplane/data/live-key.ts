import {
  effectiveStatus,
  maskOf,
  NEVER,
  type ObservedKey,
  renderInstant,
  type UnixSeconds,
} from '../../../domain/index.ts';
import type { Attributes, ObjectValue } from '../../codec/value.ts';
import { ANY, ANYWHERE } from '../key/schema.ts';

/** A key as it is, without its secret: what data sources give, in the words of the resource. */
export const LIVE_KEY: Attributes = {
  id: 'number',
  name: 'string',
  status: 'string',
  stored_status: 'string',
  group: 'string',
  cross_group_retry: 'bool',
  models: ['set', 'string'],
  allow_ips: ['set', 'string'],
  expires_at: 'string',
  unlimited: 'bool',
  remaining_quota: 'number',
  used_quota: 'number',
  masked_key: 'string',
};

/** @param now Unix seconds: a key may have expired without being stored as expired. */
export const liveKeyValue = (key: ObservedKey, now: UnixSeconds): ObjectValue => ({
  id: key.id,
  name: key.name,
  status: effectiveStatus(key, now),
  stored_status: key.status,
  group: key.group || null,
  cross_group_retry: key.crossGroupRetry,
  models: key.models ?? [ANY],
  allow_ips: key.allowIps ?? [ANYWHERE],
  expires_at: key.expires === null ? NEVER : renderInstant(key.expires),
  unlimited: key.unlimited,
  remaining_quota: key.unlimited ? null : key.remain,
  used_quota: key.used ?? null,
  masked_key: maskOf(key),
});
