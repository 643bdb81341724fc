import { keyId, type ObservedKey, quota } from '../src/domain/index.ts';

/** Returns a live key without any limit or rule, apart from `more`. */
export const plainKey = (id: number, more: Partial<ObservedKey> = {}): ObservedKey => ({
  id: keyId(id),
  name: `key-${id}`,
  status: 'enabled',
  group: '',
  crossGroupRetry: false,
  models: null,
  allowIps: null,
  expires: null,
  unlimited: true,
  remain: quota(0),
  smartRouting: false,
  smartRouteTiers: '',
  masked: 'abcd**********wxyz',
  record: {},
  ...more,
});
