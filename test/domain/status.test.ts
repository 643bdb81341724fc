import { describe, expect, it } from 'vitest';
import { effectiveStatus, type ObservedKey, quota, type StoredStatus } from '../../src/domain/index.ts';
import { plainKey } from '../plain-key.ts';

const NOW = 1_800_000_000;

const KEY = plainKey(1);

describe('the effective status', () => {
  it.each<[string, Partial<ObservedKey>, StoredStatus]>([
    ['enabled without limits', {}, 'enabled'],
    ['enabled, expiry ahead', { expires: NOW + 1 }, 'enabled'],
    ['enabled, expiry now', { expires: NOW }, 'expired'],
    ['enabled, expiry past: the gateway has not noticed yet', { expires: NOW - 1 }, 'expired'],
    ['enabled, nothing remains', { unlimited: false, remain: quota(0) }, 'exhausted'],
    ['enabled, overdrawn', { unlimited: false, remain: quota(-5) }, 'exhausted'],
    ['enabled, one unit remains', { unlimited: false, remain: quota(1) }, 'enabled'],
    ['enabled without ceiling, overdrawn', { remain: quota(-5) }, 'enabled'],
    ['enabled, expired and exhausted', { expires: NOW, unlimited: false }, 'expired'],
    ['disabled', { status: 'disabled' }, 'disabled'],
    ['disabled and expired: disabled wins', { status: 'disabled', expires: NOW - 1 }, 'disabled'],
    ['stored as expired, cause corrected', { status: 'expired', expires: NOW + 9 }, 'expired'],
    ['stored as exhausted, cause corrected', { status: 'exhausted', unlimited: false, remain: quota(9) }, 'exhausted'],
    ['stored as exhausted, yet expired', { status: 'exhausted', expires: NOW - 1 }, 'expired'],
  ])('of a key that is %s', (_, change, status) => {
    expect(effectiveStatus({ ...KEY, ...change }, NOW)).toBe(status);
  });
});
