// Rate limits, the number of keys, and the rotation, which comes last because it ends Anna's token.
import { ANNA, control, curl, flood, inTurn } from '../curl.ts';
import type { Section } from '../page.ts';

const from = (address: string): readonly string[] => [...ANNA, `X-Forwarded-For: ${address}`];

export const LIMITS: readonly Section[] = [
  {
    title: 'Rate limits',
    about: 'Each applies to one address, in a sliding window.',
    steps: [
      ['All of `/api`: 360 requests in 180 seconds.', flood('GET /api/user/self', 361, { as: from('203.0.113.1') })],
      [
        'The next answer has an empty body and no `Retry-After`:',
        curl('GET /api/user/self', { as: from('203.0.113.1') }),
      ],
      ['Another address has its own limit:', flood('GET /api/user/self', 1, { as: from('203.0.113.2') })],
      ['Search: 10 in 60 seconds.', flood('GET /api/token/search?keyword=index', 11, { as: from('203.0.113.3') })],
      ['The list does not have that limit:', flood('GET /api/token/', 11, { as: from('203.0.113.3') })],
      [
        'Reveal and batch reveal together: 20 in 20 minutes.',
        flood('POST /api/token/1/key', 20, { as: from('203.0.113.4') }),
      ],
      [
        'The next, of either kind:',
        curl('POST /api/token/batch/keys', { as: from('203.0.113.4'), body: { ids: [1] } }),
      ],
      [
        'A batch counts once:',
        flood('POST /api/token/batch/keys', 21, { as: from('203.0.113.5'), body: { ids: [1, 3, 5] } }),
      ],
      [
        'After 20 minutes it is possible again:',
        inTurn(
          control('POST /clock', { advance: 1200 }),
          flood('POST /api/token/1/key', 1, { as: from('203.0.113.4') }),
        ),
      ],
    ],
  },
  {
    title: 'At most 1000 keys',
    steps: [
      [
        'A thousand more, from four addresses; the number of times of each answer:',
        ['203.0.113.11', '203.0.113.12', '203.0.113.13', '203.0.113.14']
          .map((address) =>
            curl('POST /api/token/?n=[1-250]', {
              as: from(address),
              body: { name: 'crowd', unlimited_quota: true, expired_time: -1 },
              show: "-w '\\n'",
            }),
          )
          .join('\n')
          .replace(/^/, '{\n')
          .concat("\n} | sort | uniq -c | tr -s ' '"),
      ],
      [
        'The account has a thousand keys; the list hides one:',
        curl('GET /api/token/?p=999&exclude_smart_routing=false'),
      ],
    ],
  },
  {
    title: 'The rotation answers the bare token',
    steps: [
      ['One of 32 letters and digits:', curl('GET /api/user/token')],
      ['The previous one no longer works:', curl('GET /api/user/self')],
    ],
  },
];
