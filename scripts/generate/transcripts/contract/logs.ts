// The usage log, its statistics, and the rotation, which comes last because it ends Anna's token.
import { ANNA, BERT, control, curl, inTurn } from '../curl.ts';
import type { Section } from '../page.ts';

const [, USER] = ANNA;
const tokenIn = (output = ''): string => (JSON.parse(output.split('\n').at(-1) ?? '') as { data: string }).data;
const spend = (body: unknown): string => control('POST /spend', body);

export const LOGS: readonly Section[] = [
  {
    title: 'GET /api/log/self',
    about: 'Key 5 spent 500 units further up.',
    steps: [
      [
        'Key 2 spends 250 units on a chat.',
        spend({ keyId: 2, quota: 250, model: 'alpha-chat-1', promptTokens: 40, completionTokens: 40 }),
      ],
      [
        'A minute later it spends 100 more,',
        inTurn(
          control('POST /clock', { advance: 60 }),
          spend({ keyId: 2, quota: 100, model: 'text-embedding-3-small', promptTokens: 90 }),
        ),
      ],
      ['… and so does the key of Bert.', spend({ keyId: 6, quota: 77 })],
      ['Page 1 of 2, newest first, with every field of the contract:', curl('GET /api/log/self?p=1&page_size=2')],
      ['Page 2:', curl('GET /api/log/self?p=2&page_size=2')],
      ['Page 3:', curl('GET /api/log/self?p=3&page_size=2')],
      ['Bert sees only his own:', curl('GET /api/log/self', { as: BERT })],
      [
        'The contract defines no maximum size; this gateway answers more than 100 as 100:',
        curl('GET /api/log/self?p=9&page_size=101'),
      ],
      ['It defines no filters, so there are none:', curl('GET /api/log/self?token_name=nobody&p=9')],
    ],
  },
  {
    title: 'GET /api/log/self/stat',
    steps: [
      ['The total consumption, and that of the last minute:', curl('GET /api/log/self/stat')],
      ['A minute later:', inTurn(control('POST /clock', { advance: 60 }), curl('GET /api/log/self/stat'))],
      ['The wallet has that much less:', curl('GET /api/user/self')],
      ['Bert:', curl('GET /api/log/self/stat', { as: BERT })],
    ],
  },
  {
    title: 'GET /api/user/token, a rotation',
    steps: [
      ['The bare new token (the contract does not define the shape):', curl('GET /api/user/token')],
      ['The old one no longer works:', curl('GET /api/user/self')],
      ['Not even for another rotation:', curl('GET /api/user/token')],
      [
        'The new one does:',
        ([rotation]) => curl('GET /api/user/self', { as: [`Authorization: Bearer ${tokenIn(rotation)}`, USER] }),
      ],
      ['So does that of the other account:', curl('GET /api/user/self', { as: BERT })],
    ],
  },
];
