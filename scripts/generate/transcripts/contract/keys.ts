// Create, list, search, read and reveal.
import { ANNA, BERT, curl } from '../curl.ts';
import type { Section } from '../page.ts';
import { DAY, START, secret } from '../world.ts';

const create = (body: unknown): string => curl('POST /api/token/', { body });
const idsTo = (last: number): readonly number[] => Array.from({ length: last }, (_, index) => index + 1);

const WHOLE = {
  ...{ name: 'mailer-7f3a', expired_time: START + 90 * DAY, remain_quota: 12_500_000, unlimited_quota: false },
  ...{ model_limits_enabled: true, model_limits: 'alpha-chat-1,text-embedding-3-small' },
  ...{ allow_ips: '203.0.113.7\n2001:db8::/32', group: 'vip', cross_group_retry: true },
  ...{ smart_routing: false, smart_route_tiers: '' },
};

export const KEYS: readonly Section[] = [
  {
    title: 'POST /api/token/',
    steps: [
      ['Every mutable field, no id. The answer is only the envelope.', create(WHOLE)],
      [
        'Rule 7: find it by its unique name. The record has every field unchanged.',
        curl('GET /api/token/search?keyword=mailer-7f3a'),
      ],
      ['The minimum for a key: a name.', create({ name: 'least' })],
      ['Its defaults; `expired_time` is -1, never:', curl('GET /api/token/search?keyword=least')],
      [
        'The caller cannot set an id, a status or a key.',
        create({ ...{ id: 1, name: 'given', status: 2, key: 'mine' }, unlimited_quota: true }),
      ],
      ['They were ignored:', curl('GET /api/token/search?keyword=given')],
      ['Names are not unique.', create({ name: 'given', unlimited_quota: true })],
    ],
  },
  {
    title: 'POST /api/token/, rejected',
    about: 'Validation failures are HTTP 200 with `success` false.',
    steps: [
      ['A name of 50 characters is accepted, even if they are more bytes:', create({ name: 'é'.repeat(50) })],
      ['One of 51 is not:', create({ name: 'é'.repeat(51) })],
      ['No name:', create({ name: '' })],
      ['An expiry that is neither -1 nor a time:', create({ name: 'no', expired_time: -2 })],
      ['A quota below 0:', create({ name: 'no', remain_quota: -1 })],
      ['A group that the account may not use:', create({ name: 'no', group: 'gold' })],
      ['A line that is neither an address nor a range:', create({ name: 'no', allow_ips: '10.0.0.0/8\nhere' })],
      ['Smart Routing tiers that are not JSON:', create({ name: 'no', smart_route_tiers: '{' })],
      ['A field of another type:', create({ name: 'no', remain_quota: 'much' })],
      ['Incomplete JSON:', create('{"name": "no"')],
      ['JSON that is not an object:', create([])],
      ['No body:', curl('POST /api/token/')],
      ['A body that is not declared as JSON:', curl('POST /api/token/', { body: { name: 'no' }, type: [] })],
      ['None of them exists:', curl('GET /api/token/search?keyword=no')],
    ],
  },
  {
    title: 'GET /api/token/',
    steps: [
      [
        'Without the Smart Routing key 3, and only the keys that Anna owns. Keys are masked.',
        curl('GET /api/token/?size=2'),
      ],
      ['Bert owns one.', curl('GET /api/token/', { as: BERT })],
    ],
  },
  {
    title: 'Rule 3: exclude_smart_routing',
    steps: [
      ['`true` is the default:', curl('GET /api/token/?size=3&exclude_smart_routing=true')],
      ['`false` includes every key:', curl('GET /api/token/?size=3&exclude_smart_routing=false')],
    ],
  },
  {
    title: 'Rule 4: pages',
    steps: [
      ['The page size by its first name:', curl('GET /api/token/?p=2&size=1')],
      ['By its second:', curl('GET /api/token/?p=2&page_size=1')],
      ['By its third:', curl('GET /api/token/?p=2&ps=1')],
      ['In a search, by all three:', curl('GET /api/token/search?keyword=given&p=2&size=1')],
      ['The same:', curl('GET /api/token/search?keyword=given&p=2&page_size=1')],
      ['The same:', curl('GET /api/token/search?keyword=given&p=2&ps=1')],
      ['Pages start at 1:', curl('GET /api/token/?p=1&size=1')],
      ['… so there is no page 0:', curl('GET /api/token/?p=0&size=1')],
      ['After the last page:', curl('GET /api/token/?p=9&size=100')],
      ['101 is too many for the list:', curl('GET /api/token/?size=101')],
      ['… by any name:', curl('GET /api/token/?ps=101')],
      ['… and for a search:', curl('GET /api/token/search?page_size=101')],
      ['0 is not a size:', curl('GET /api/token/?size=0')],
      ['Neither is a word:', curl('GET /api/token/?size=all')],
    ],
  },
  {
    title: 'GET /api/token/search, rule 5',
    steps: [
      ['`keyword` is a name, or a part of it:', curl('GET /api/token/search?keyword=check')],
      ['`keyword` is a stored value:', curl(`GET /api/token/search?keyword=${secret('checkout')}`)],
      ['`token` is a key without `sk-`:', curl(`GET /api/token/search?token=${secret('checkout')}`)],
      ['`token` is a key with `sk-`:', curl(`GET /api/token/search?token=sk-${secret('checkout')}`)],
      ['Both must match:', curl(`GET /api/token/search?keyword=index&token=${secret('checkout')}`)],
      ['Nothing matches:', curl('GET /api/token/search?keyword=of-bert')],
      ['Not even by its value, because it is not hers:', curl(`GET /api/token/search?token=${secret('bert')}`)],
      ['Smart Routing keys are found too:', curl('GET /api/token/search?keyword=router')],
    ],
  },
  {
    title: 'GET /api/token/{id}',
    steps: [
      ['One record, masked, with every field of the contract:', curl('GET /api/token/1')],
      ['One that does not exist:', curl('GET /api/token/4711')],
      ['One that is not hers looks the same:', curl('GET /api/token/6')],
      ['No id at all:', curl('GET /api/token/first')],
    ],
  },
  {
    title: 'POST /api/token/{id}/key',
    steps: [
      ['The complete stored value, without `sk-`:', curl('POST /api/token/1/key')],
      [
        '`sk-` and the stored value are a credential:',
        curl('GET /v1/models', { as: [`Authorization: Bearer sk-${secret('checkout')}`] }),
      ],
      ['One that is not hers:', curl('POST /api/token/6/key')],
      ['One that does not exist:', curl('POST /api/token/4711/key')],
    ],
  },
  {
    title: 'POST /api/token/batch/keys',
    steps: [
      [
        'A list (the contract does not define the shape). 4711 does not exist and 6 is not hers: both are omitted.',
        curl('POST /api/token/batch/keys', { body: { ids: [1, 2, 6, 4711] } }),
      ],
      ['None:', curl('POST /api/token/batch/keys', { body: { ids: [] } })],
      [
        '100 ids are accepted:',
        curl('POST /api/token/batch/keys', { body: { ids: [...idsTo(3), ...idsTo(97).map((n) => n + 1000)] } }),
      ],
      ['101 are too many:', curl('POST /api/token/batch/keys', { body: { ids: idsTo(101) } })],
      ['Ids that are not integers:', curl('POST /api/token/batch/keys', { body: { ids: ['1'] } })],
      ['No ids:', curl('POST /api/token/batch/keys', { body: {} })],
      ['Incomplete JSON:', curl('POST /api/token/batch/keys', { body: '{"ids": [1' })],
    ],
  },
  {
    title: 'Authentication: GET /v1/models',
    about: 'It shows which models a key can use. The contract does not define its path.',
    steps: [
      ['A key with an allowlist:', curl('GET /v1/models', { as: [`Authorization: Bearer sk-${secret('checkout')}`] })],
      ['One without:', curl('GET /v1/models', { as: [`Authorization: Bearer sk-${secret('index')}`] })],
      [
        'From an address that the key does not allow (a proxy on this machine names the client):',
        curl('GET /v1/models', {
          as: [`Authorization: Bearer sk-${secret('checkout')}`, 'X-Forwarded-For: 192.0.2.1'],
        }),
      ],
      ['An expired key, state 3:', curl('GET /v1/models', { as: [`Authorization: Bearer sk-${secret('lapsed')}`] })],
      ['An exhausted key, state 4:', curl('GET /v1/models', { as: [`Authorization: Bearer sk-${secret('spent')}`] })],
      ['An unknown key:', curl('GET /v1/models', { as: ['Authorization: Bearer sk-nobodys'] })],
      ['No key:', curl('GET /v1/models', { as: [] })],
      ['A system access token is not a key:', curl('GET /v1/models', { as: ANNA })],
      ['Another path of `/v1`:', curl('GET /v1/nothing', { as: [] })],
    ],
  },
];
