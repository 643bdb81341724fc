import fc from 'fast-check';
import { MODEL } from '../peer.ts';
import { CHAT, chat, create, get, setStatus, update, withNumbers } from './directed.ts';
import type { Operation } from './operation.ts';

const place = fc.nat(3);
const id = place.map((at) => `<${at}>`);

const settings = fc.record({
  name: fc.constantFrom('prod', 'dev', 'prod-2', 'ci'),
  expired_time: fc.constantFrom(-1, 0, Math.floor(Date.now() / 1000) + 86_400, Math.floor(Date.now() / 1000) - 86_400),
  remain_quota: fc.constantFrom(0, 1, 500, 1_000_000),
  unlimited_quota: fc.boolean(),
  model_limits_enabled: fc.boolean(),
  model_limits: fc.constantFrom('', MODEL, `other,${MODEL}`, 'other'),
  allow_ips: fc.constantFrom('', '127.0.0.1', '10.0.0.0/8'),
  group: fc.constantFrom('', 'default', 'vip', 'auto'),
  cross_group_retry: fc.boolean(),
});

/** Requests as clients and people send them. */
const operation: fc.Arbitrary<Operation> = fc
  .oneof(
    { weight: 6, arbitrary: settings.map(create) },
    { weight: 5, arbitrary: fc.tuple(settings, id).map(([values, which]) => update({ ...values, id: which })) },
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constantFrom(1, 2), id).map(([status, which]) => setStatus({ status, id: which })),
    },
    { weight: 2, arbitrary: id.map((which) => ({ method: 'DELETE', path: `/api/token/${which}` })) },
    {
      weight: 1,
      arbitrary: fc.array(id, { minLength: 1, maxLength: 3 }).map((ids) => ({
        method: 'POST',
        path: '/api/token/batch',
        body: JSON.stringify({ ids }),
      })),
    },
    { weight: 2, arbitrary: id.map((which) => get(`/api/token/${which}`)) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.nat(3), fc.integer({ min: 1, max: 4 }))
        .map(([p, size]) => get(`/api/token/?p=${p}&size=${size}`)),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom('prod', 'ci', 'pr%25', 'x').map((word) => get(`/api/token/search?keyword=${word}`)),
    },
    { weight: 4, arbitrary: place.map((at) => chat(CHAT, at)) },
    { weight: 1, arbitrary: place.map((at) => get('/v1/models', at)) },
  )
  .map(withNumbers);

export const sequence: fc.Arbitrary<readonly Operation[]> = fc.array(operation, {
  minLength: 1,
  maxLength: 24,
  size: 'max',
});
