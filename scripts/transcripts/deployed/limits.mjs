// Rate limits, the number of keys, and the rotation, which comes last because it ends Anna's token.
import { ANNA, control, curl, flood, inTurn } from '../curl.mjs';

const from = (address) => [...ANNA, `X-Forwarded-For: ${address}`];

export const LIMITS = [
  {
    title: 'Rate limits',
    says: 'Each by address, in a window that slides.',
    steps: [
      ['All of `/api`: 360 requests in 180 seconds.', flood('GET /api/user/self', 361, { as: from('203.0.113.1') })],
      [
        'What comes then has an empty body and no `Retry-After`:',
        curl('GET /api/user/self', { as: from('203.0.113.1') }),
      ],
      ['Another address has its own:', flood('GET /api/user/self', 1, { as: from('203.0.113.2') })],
      ['Search: 10 in 60 seconds.', flood('GET /api/token/search?keyword=index', 11, { as: from('203.0.113.3') })],
      ['The list is not limited like that:', flood('GET /api/token/', 11, { as: from('203.0.113.3') })],
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
        'After 20 minutes there is room again:',
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
        'A thousand more, from four addresses; how often each answer came:',
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
        'The account has a thousand, of which the list hides one:',
        curl('GET /api/token/?p=999&exclude_smart_routing=false'),
      ],
    ],
  },
  {
    title: 'The rotation answers the bare token',
    steps: [
      ['One of 32 letters and digits:', curl('GET /api/user/token')],
      ['The one before is of no use any more:', curl('GET /api/user/self')],
    ],
  },
];
