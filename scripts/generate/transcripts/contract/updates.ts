// The two PUTs, the states, and the two deletes.
import { BERT, type CurlOptions, control, curl, inTurn } from '../curl.ts';
import type { Section } from '../page.ts';
import { DAY, START, secret } from '../world.ts';

const update = (body: unknown, options?: CurlOptions): string => curl('PUT /api/token/', { ...options, body });
const setStatus = (body: unknown, options?: CurlOptions): string =>
  curl('PUT /api/token/?status_only=true', { ...options, body });
const read = (id: number): string => curl(`GET /api/token/${id}`);
const use = (name: string): string => curl('GET /v1/models', { as: [`Authorization: Bearer sk-${secret(name)}`] });

const settings = (more: object): object => ({
  ...{ expired_time: -1, remain_quota: 0, unlimited_quota: true, model_limits_enabled: false, model_limits: '' },
  ...{ allow_ips: '', group: '', cross_group_retry: false, smart_routing: false, smart_route_tiers: '' },
  ...more,
});

export const UPDATES: readonly Section[] = [
  {
    title: 'PUT /api/token/',
    steps: [
      [
        'All mutable fields, and the id. The answer is the envelope.',
        update(settings({ id: 2, name: 'index-v2', unlimited_quota: false, remain_quota: 7_000, group: 'vip' })),
      ],
      ['Read back:', read(2)],
      ['It ignores a status and a key:', update(settings({ id: 2, name: 'index-v2', status: 2, key: 'mine' }))],
      ['Read back:', read(2)],
      ['The stored value is unchanged:', curl('POST /api/token/2/key')],
      ['`allow_ips` null means the same as "":', update(settings({ id: 2, name: 'index-v2', allow_ips: null }))],
      ['Read back:', read(2)],
    ],
  },
  {
    title: 'Rule 1: a full update does not merge',
    steps: [
      ['The key before:', read(1)],
      ['An update with two of its fields:', update({ id: 1, name: 'checkout', unlimited_quota: true })],
      [
        'All others are gone: its addresses, its allowlist, its group, and its expiry, which is now 0, in the past.',
        read(1),
      ],
      ['Its next use ends it:', use('checkout')],
      ['Read back:', read(1)],
    ],
  },
  {
    title: 'PUT /api/token/, rejected',
    steps: [
      ['A key that is not hers:', update(settings({ id: 6, name: 'mine' }))],
      ['It is unchanged:', curl('GET /api/token/6', { as: BERT })],
      ['One that does not exist:', update(settings({ id: 4711, name: 'no' }))],
      ['No id:', update(settings({ name: 'no' }))],
      ['A name of 51 characters:', update(settings({ id: 2, name: 'n'.repeat(51) }))],
      ['A quota below 0:', update(settings({ id: 2, name: 'no', unlimited_quota: false, remain_quota: -1 }))],
      ['A group that the account may not use:', update(settings({ id: 2, name: 'no', group: 'gold' }))],
      ['Another account may use fewer:', update(settings({ id: 6, name: 'of-bert', group: 'vip' }), { as: BERT })],
      ['An invalid address:', update(settings({ id: 2, name: 'no', allow_ips: '10.0.0.0/33' }))],
      ['Incomplete JSON:', update('{"id": 2')],
      ['Nothing was written:', read(2)],
    ],
  },
  {
    title: 'PUT /api/token/?status_only=true, rule 2',
    about: 'State 1 to 2 and back. All other settings are preserved, whatever else the body contains.',
    steps: [
      ['The key before:', read(7)],
      [
        '1 to 2; it ignores the name and the group in the body:',
        setStatus({ id: 7, status: 2, name: 'no', group: '' }),
      ],
      ['Read back:', read(7)],
      ['2 to 1:', setStatus({ id: 7, status: 1 })],
      ['Read back:', read(7)],
      ['A disabled key is not a valid one:', inTurn(setStatus({ id: 2, status: 2 }), use('index'))],
      ['Enabled, it works again:', inTurn(setStatus({ id: 2, status: 1 }), use('index'))],
    ],
  },
  {
    title: 'PUT /api/token/?status_only=true, rejected',
    steps: [
      ['3 is not a state that a caller can set:', setStatus({ id: 2, status: 3 })],
      ['Neither is 4:', setStatus({ id: 2, status: 4 })],
      ['Nor 0:', setStatus({ id: 2, status: 0 })],
      ['No status:', setStatus({ id: 2 })],
      ['A key that is not hers:', setStatus({ id: 6, status: 2 })],
      ['It is unchanged:', curl('GET /api/token/6', { as: BERT })],
      ['One that does not exist:', setStatus({ id: 4711, status: 2 })],
      ['Incomplete JSON:', setStatus('{"id": 2')],
      ['The key is unchanged:', read(2)],
    ],
  },
  {
    title: 'State 3, expired',
    steps: [
      ['It cannot be enabled while its expiry is in the past,', setStatus({ id: 4, status: 1 })],
      ['… and stays 3:', read(4)],
      ['The expiry is corrected:', update(settings({ id: 4, name: 'lapsed', expired_time: START + DAY }))],
      ['That alone does not move it:', read(4)],
      ['Now it can be enabled:', setStatus({ id: 4, status: 1 })],
      ['Read back:', read(4)],
    ],
  },
  {
    title: 'State 4, quota exhausted',
    steps: [
      ['It cannot be enabled while nothing remains,', setStatus({ id: 5, status: 1 })],
      ['… and stays 4:', read(5)],
      [
        'The quota is corrected:',
        update(settings({ id: 5, name: 'spent', unlimited_quota: false, remain_quota: 500 })),
      ],
      ['That alone does not move it:', read(5)],
      ['Now it can be enabled:', setStatus({ id: 5, status: 1 })],
      ['Read back:', read(5)],
    ],
  },
  {
    title: 'State 2 with an invalid expiry or quota',
    about: 'Enabling is allowed when “expiration and quota conditions are valid”.',
    steps: [
      ['It is disabled,', setStatus({ id: 4, status: 2 })],
      ['… and given an expiry in the past:', update(settings({ id: 4, name: 'lapsed', expired_time: START - 1 }))],
      ['Rejected:', setStatus({ id: 4, status: 1 })],
      [
        'Now without an expiry, and without quota:',
        update(settings({ id: 4, name: 'lapsed', unlimited_quota: false, remain_quota: 0 })),
      ],
      ['Rejected:', setStatus({ id: 4, status: 1 })],
      ['It is still in state 2:', read(4)],
      ['With an expiry in a day, and quota:', update(settings({ id: 4, name: 'lapsed', expired_time: START + DAY }))],
      ['Accepted:', setStatus({ id: 4, status: 1 })],
    ],
  },
  {
    title: 'Automatic moves into states 3 and 4',
    about: 'The contract does not define them. This gateway makes them when a key is used, not before.',
    steps: [
      ['Key 5 spends the last of its 500 units.', control('POST /spend', { keyId: 5, quota: 500 })],
      ['Nothing remains, and the state is still 1:', read(5)],
      ['Its next use is rejected,', use('spent')],
      ['… and moves it to 4:', read(5)],
      ['A day passes, and key 4 expires.', control('POST /clock', { advance: DAY })],
      ['The state is still 1:', read(4)],
      ['Its next use is rejected,', use('lapsed')],
      ['… and moves it to 3:', read(4)],
    ],
  },
  {
    title: 'DELETE /api/token/{id}',
    steps: [
      ['Once:', curl('DELETE /api/token/9')],
      ['It is gone:', curl('GET /api/token/9')],
      ['Twice:', curl('DELETE /api/token/9')],
      ['One that is not hers:', curl('DELETE /api/token/6')],
      ['It still exists:', curl('GET /api/token/6', { as: BERT })],
    ],
  },
  {
    title: 'POST /api/token/batch, rule 6',
    about: 'The answer is the number of records that were actually deleted.',
    steps: [
      [
        'Two of hers, one of them twice, one of Bert, one that does not exist:',
        curl('POST /api/token/batch', { body: { ids: [7, 8, 7, 6, 4711] } }),
      ],
      ['Again:', curl('POST /api/token/batch', { body: { ids: [7, 8, 7, 6, 4711] } })],
      ['That of Bert still exists:', curl('GET /api/token/6', { as: BERT })],
      ['None:', curl('POST /api/token/batch', { body: { ids: [] } })],
      ['Ids that are not integers:', curl('POST /api/token/batch', { body: { ids: 'all' } })],
      ['Incomplete JSON:', curl('POST /api/token/batch', { body: '{"ids": [7' })],
    ],
  },
];
