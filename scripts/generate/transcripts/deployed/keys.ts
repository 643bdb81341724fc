// Records, pages, search, creates and updates, and the traps in them.
import { ANNA, control, curl } from '../curl.ts';
import type { Section } from '../page.ts';
import { DAY, START, secret } from '../world.ts';

const create = (body: unknown): string => curl('POST /api/token/', { body });
const update = (body: unknown): string => curl('PUT /api/token/', { body });
const read = (id: number): string => curl(`GET /api/token/${id}`);
const use = (name: string): string => curl('GET /v1/models', { as: [`Authorization: Bearer sk-${secret(name)}`] });
const from = (address: string): readonly string[] => [...ANNA, `X-Forwarded-For: ${address}`];
const search = (query: string): string => curl(`GET /api/token/search?${query}`, { as: from('198.51.100.7') });

const settings = (more: object): object => ({
  ...{ expired_time: -1, remain_quota: 0, unlimited_quota: true, model_limits_enabled: false, model_limits: '' },
  ...{ allow_ips: '', group: '', cross_group_retry: false, smart_routing: false, smart_route_tiers: '' },
  ...more,
});

const ROUTER = settings({ id: 3, name: 'router', smart_routing: true });
/** Updates some settings of key 3 without showing the answer. */
const quietly = (more: object): string =>
  curl('PUT /api/token/', { body: { ...ROUTER, ...more }, show: '-o /dev/null' });

export const KEYS: readonly Section[] = [
  {
    title: 'Records have more fields, and masks show more',
    steps: [
      [
        '`user_id`, `created_time`, `accessed_time`, `used_quota`, `DeletedAt`; the key’s first and last four:',
        read(1),
      ],
      ['Spending moved `remain_quota` down and `used_quota` up, an unlimited key’s below 0:', read(2)],
    ],
  },
  {
    title: 'Pages have totals, newest first, and sizes are clamped',
    steps: [
      ['`page`, `page_size`, `total`; ids descending:', curl('GET /api/token/?size=2')],
      ['The default is 10:', curl('GET /api/token/?p=9')],
      ['101 become 100, silently:', curl('GET /api/token/?p=9&size=101')],
      ['Page 0 is page 1:', curl('GET /api/token/?p=0&size=1')],
      ['Empty `items` are `[]`:', curl('GET /api/token/?p=9&size=100')],
    ],
  },
  {
    title: 'Creates are not validated',
    steps: [
      ['No `data` in the answer:', create(settings({ name: 'mailer' }))],
      [
        'A duplicate name, and a group, an address and an expiry that are invalid:',
        create(settings({ name: 'mailer', group: 'gold', allow_ips: 'here', expired_time: 1 })),
      ],
      ['No name at all:', create(settings({ name: '' }))],
      ['50 bytes are accepted:', create(settings({ name: 'n'.repeat(50) }))],
      ['50 characters of two bytes are not:', create(settings({ name: 'é'.repeat(50) }))],
      ['A quota below 0 is not:', create(settings({ name: 'no', unlimited_quota: false, remain_quota: -1 }))],
      ['An omitted `expired_time` is 0, in the past:', create({ name: 'stillborn', unlimited_quota: true })],
      ['The newest are on the first page, so a search is not necessary:', curl('GET /api/token/?size=4')],
    ],
  },
  {
    title: 'Search is exact unless % is given',
    steps: [
      ['A part of a name finds nothing:', search('keyword=check')],
      ['With `%` it does:', search('keyword=check%25')],
      ['ASCII case is ignored:', search('keyword=CHECKOUT')],
      ['By credential:', search(`token=sk-${secret('checkout')}`)],
    ],
  },
  {
    title: 'A full update answers the record, and has traps',
    steps: [
      [
        'The gateway ignores fields that it owns:',
        update(
          settings({
            id: 2,
            user_id: 43,
            name: 'index',
            key: 'mine',
            used_quota: 0,
            created_time: 1,
            accessed_time: 1,
          }),
        ),
      ],
      ['The masked record is in `data`:', update(settings({ id: 2, name: 'index-v2', remain_quota: 7_000 }))],
      [
        '`remain_quota` is written absolutely: 250 units were spent before, and `used_quota` still includes them. Omitted fields are 0, null or empty:',
        update({ id: 2, name: 'index-v2' }),
      ],
      ['The key dies at its next use:', use('index')],
      ['… in state 3:', read(2)],
      [
        'A limited key cannot go below 0:',
        update(settings({ id: 2, name: 'no', unlimited_quota: false, remain_quota: -1 })),
      ],
    ],
  },
  {
    title: 'A full update wipes the fields that it does not echo',
    steps: [
      ['The field of the fork before:', read(3)],
      ['An update with every field of the contract, but not this one:', update(ROUTER)],
      ['Echoed, it stays:', update({ ...ROUTER, rate_limit: 60 })],
    ],
  },
  {
    title: 'Models, addresses and groups are taken literally',
    steps: [
      [
        'An allowlist is split on commas without trimming: the second entry begins with a space, so it is not a model.',
        `${quietly({ model_limits_enabled: true, model_limits: 'alpha-chat-1, text-embedding-3-small' })}\n${use('router')}`,
      ],
      ['Enabled and empty, it forbids every model:', `${quietly({ model_limits_enabled: true })}\n${use('router')}`],
      ['Lines that are not addresses are ignored:', `${quietly({ allow_ips: 'here\n127.0.0.1' })}\n${use('router')}`],
      ['If there are only such lines, they block everyone:', `${quietly({ allow_ips: 'here' })}\n${use('router')}`],
      ['An unknown group only matters when the key is used:', `${quietly({ group: 'gold' })}\n${use('router')}`],
    ],
  },
  {
    title: 'Status in a full update is not applied, but checked',
    steps: [
      ['`status` 2 is not applied:', update(settings({ id: 1, name: 'checkout', status: 2 }))],
      [
        '`status` 1 must pass the check for enabling with the stored values, so the whole update is rejected:',
        update(settings({ id: 4, name: 'lapsed-v2', expired_time: START + DAY, status: 1 })),
      ],
      ['Nothing was written:', read(4)],
      ['Without it, the expiry is corrected, and the state stays 3:', update(settings({ id: 4, name: 'lapsed' }))],
      [
        'A separate change of status is necessary:',
        curl('PUT /api/token/?status_only=true', { body: { id: 4, status: 1 } }),
      ],
    ],
  },
  {
    title: 'Any status_only counts',
    steps: [
      [
        'Even `false`: the status is changed, and the name is not.',
        curl('PUT /api/token/?status_only=false', { body: settings({ id: 4, name: 'no', status: 2 }) }),
      ],
    ],
  },
  {
    title: 'Moves into 3 and 4 are lazy, and overdrafts happen',
    steps: [
      [
        'Key 5 gets 500 units and is enabled.',
        `${update(settings({ id: 5, name: 'spent', unlimited_quota: false, remain_quota: 500 }))}
${curl('PUT /api/token/?status_only=true', { body: { id: 5, status: 1 }, show: '-o /dev/null' })}`,
      ],
      ['A request is pre-charged 100 and costs 700.', control('POST /spend', { keyId: 5, quota: 700, precharge: 100 })],
      ['It has -200, in state 1:', read(5)],
      ['Its next use is rejected,', use('spent')],
      ['… and moves it:', read(5)],
    ],
  },
  {
    title: 'Batch reveal is a map by id',
    steps: [
      [
        'Ids that do not exist, or are not hers, are absent:',
        curl('POST /api/token/batch/keys', { as: from('198.51.100.8'), body: { ids: [1, 3, 6, 4711] } }),
      ],
      [
        'Over 100 is an error:',
        curl('POST /api/token/batch/keys', {
          as: from('198.51.100.8'),
          body: { ids: Array.from({ length: 101 }, (_, index) => index + 1) },
        }),
      ],
    ],
  },
  {
    title: 'Deletes',
    steps: [
      ['Once:', curl('DELETE /api/token/7')],
      ['Twice is HTTP 200 with `success` false:', curl('DELETE /api/token/7')],
      [
        'A batch has no maximum, and counts how many of these 201 ids existed and were hers:',
        curl('POST /api/token/batch', {
          body: { ids: [8, 9, ...Array.from({ length: 199 }, (_, index) => index + 1000)] },
        }),
      ],
    ],
  },
];
