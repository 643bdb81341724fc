// The two PUTs, the states, and the two deletes.
import { BERT, control, curl, inTurn } from '../curl.mjs';
import { DAY, START, secret } from '../world.mjs';

const update = (body, options) => curl('PUT /api/token/', { ...options, body });
const setStatus = (body, options) => curl('PUT /api/token/?status_only=true', { ...options, body });
const read = (id) => curl(`GET /api/token/${id}`);
const use = (name) => curl('GET /v1/models', { as: [`Authorization: Bearer sk-${secret(name)}`] });

const settings = (more) => ({
  ...{ expired_time: -1, remain_quota: 0, unlimited_quota: true, model_limits_enabled: false, model_limits: '' },
  ...{ allow_ips: '', group: '', cross_group_retry: false, smart_routing: false, smart_route_tiers: '' },
  ...more,
});

export const UPDATES = [
  {
    title: 'PUT /api/token/',
    steps: [
      [
        'All mutable fields, and the id. The answer is the envelope.',
        update(settings({ id: 2, name: 'index-v2', unlimited_quota: false, remain_quota: 7_000, group: 'vip' })),
      ],
      ['Read back:', read(2)],
      [
        'A status and a key in it are not taken:',
        update(settings({ id: 2, name: 'index-v2', status: 2, key: 'mine' })),
      ],
      ['Read back:', read(2)],
      ['The stored value is what it was:', curl('POST /api/token/2/key')],
      ['What `allow_ips` null means is what "" means:', update(settings({ id: 2, name: 'index-v2', allow_ips: null }))],
      ['Read back:', read(2)],
    ],
  },
  {
    title: 'Rule 1: a full update does not merge',
    steps: [
      ['The key before:', read(1)],
      ['An update with two of its fields:', update({ id: 1, name: 'checkout', unlimited_quota: true })],
      [
        'All others are gone: its addresses and its allowlist, its group, and its expiry, which is 0 now, in the past.',
        read(1),
      ],
      ['Its next use ends it:', use('checkout')],
      ['Read back:', read(1)],
    ],
  },
  {
    title: 'PUT /api/token/, refused',
    steps: [
      ['A key that is not hers:', update(settings({ id: 6, name: 'mine' }))],
      ['It is as it was:', curl('GET /api/token/6', { as: BERT })],
      ['One that is not there:', update(settings({ id: 4711, name: 'no' }))],
      ['No id:', update(settings({ name: 'no' }))],
      ['A name of 51 characters:', update(settings({ id: 2, name: 'n'.repeat(51) }))],
      ['A quota below 0:', update(settings({ id: 2, name: 'no', unlimited_quota: false, remain_quota: -1 }))],
      ['A group that the account may not use:', update(settings({ id: 2, name: 'no', group: 'gold' }))],
      ['Another account may use fewer:', update(settings({ id: 6, name: 'of-bert', group: 'vip' }), { as: BERT })],
      ['An address that is none:', update(settings({ id: 2, name: 'no', allow_ips: '10.0.0.0/33' }))],
      ['JSON that breaks off:', update('{"id": 2')],
      ['Nothing of it was written:', read(2)],
    ],
  },
  {
    title: 'PUT /api/token/?status_only=true, rule 2',
    says: 'State 1 to 2 and back. All other settings are preserved, whatever else the body says.',
    steps: [
      ['The key before:', read(7)],
      [
        '1 to 2; the name and the group in the body are not taken:',
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
    title: 'PUT /api/token/?status_only=true, refused',
    steps: [
      ['3 is no state to ask for:', setStatus({ id: 2, status: 3 })],
      ['Nor is 4:', setStatus({ id: 2, status: 4 })],
      ['Nor 0:', setStatus({ id: 2, status: 0 })],
      ['No status:', setStatus({ id: 2 })],
      ['A key that is not hers:', setStatus({ id: 6, status: 2 })],
      ['It is as it was:', curl('GET /api/token/6', { as: BERT })],
      ['One that is not there:', setStatus({ id: 4711, status: 2 })],
      ['JSON that breaks off:', setStatus('{"id": 2')],
      ['The key is as it was:', read(2)],
    ],
  },
  {
    title: 'State 3, expired',
    steps: [
      ['It can not be enabled while its expiry is in the past,', setStatus({ id: 4, status: 1 })],
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
      ['It can not be enabled while nothing remains,', setStatus({ id: 5, status: 1 })],
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
    title: 'State 2 with an expiry or a quota that is not valid',
    says: 'Enabling is granted when “expiration and quota conditions are valid”.',
    steps: [
      ['It is disabled,', setStatus({ id: 4, status: 2 })],
      ['… and given an expiry in the past:', update(settings({ id: 4, name: 'lapsed', expired_time: START - 1 }))],
      ['Refused:', setStatus({ id: 4, status: 1 })],
      [
        'Now without an expiry, and without quota:',
        update(settings({ id: 4, name: 'lapsed', unlimited_quota: false, remain_quota: 0 })),
      ],
      ['Refused:', setStatus({ id: 4, status: 1 })],
      ['It is in state 2 still:', read(4)],
      ['With an expiry in a day, and quota:', update(settings({ id: 4, name: 'lapsed', expired_time: START + DAY }))],
      ['Granted:', setStatus({ id: 4, status: 1 })],
    ],
  },
  {
    title: 'Automatic moves into states 3 and 4',
    says: 'The contract does not show them. This gateway makes them when a key is used, not before.',
    steps: [
      ['Key 5 spends the last of its 500 units.', control('POST /spend', { keyId: 5, quota: 500 })],
      ['Nothing remains, and the state is 1 still:', read(5)],
      ['Its next use is refused,', use('spent')],
      ['… and moves it to 4:', read(5)],
      ['A day passes, and key 4 expires.', control('POST /clock', { advance: DAY })],
      ['The state is 1 still:', read(4)],
      ['Its next use is refused,', use('lapsed')],
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
      ['It is there still:', curl('GET /api/token/6', { as: BERT })],
    ],
  },
  {
    title: 'POST /api/token/batch, rule 6',
    says: 'The answer is the number of records that were actually deleted.',
    steps: [
      [
        'Two that are hers, one twice, one of Bert, one that is not there:',
        curl('POST /api/token/batch', { body: { ids: [7, 8, 7, 6, 4711] } }),
      ],
      ['Again:', curl('POST /api/token/batch', { body: { ids: [7, 8, 7, 6, 4711] } })],
      ['That of Bert is there still:', curl('GET /api/token/6', { as: BERT })],
      ['None:', curl('POST /api/token/batch', { body: { ids: [] } })],
      ['Ids that are no integers:', curl('POST /api/token/batch', { body: { ids: 'all' } })],
      ['JSON that breaks off:', curl('POST /api/token/batch', { body: '{"ids": [7' })],
    ],
  },
];
