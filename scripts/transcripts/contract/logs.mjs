// The usage log, its statistics, and the rotation, which comes last because it ends Anna's token.
import { ANNA, BERT, control, curl, inTurn } from '../curl.mjs';

const [, USER] = ANNA;
const tokenIn = (output) => JSON.parse(output.split('\n').at(-1)).data;
const spend = (body) => control('POST /spend', body);

export const LOGS = [
  {
    title: 'GET /api/log/self',
    says: 'Key 5 has spent 500 units further up.',
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
      ['Bert sees his own only:', curl('GET /api/log/self', { as: BERT })],
      [
        'The contract names no largest size; more than 100 is answered as 100:',
        curl('GET /api/log/self?p=9&page_size=101'),
      ],
      ['It names no filters, so there are none:', curl('GET /api/log/self?token_name=nobody&p=9')],
    ],
  },
  {
    title: 'GET /api/log/self/stat',
    steps: [
      ['All that was consumed, and what the last minute saw:', curl('GET /api/log/self/stat')],
      ['A minute later:', inTurn(control('POST /clock', { advance: 60 }), curl('GET /api/log/self/stat'))],
      ['The wallet has it less:', curl('GET /api/user/self')],
      ['Bert:', curl('GET /api/log/self/stat', { as: BERT })],
    ],
  },
  {
    title: 'GET /api/user/token, a rotation',
    steps: [
      ['The bare new token (the contract does not show the shape):', curl('GET /api/user/token')],
      ['The old one is of no use any more:', curl('GET /api/user/self')],
      ['Not even for another rotation:', curl('GET /api/user/token')],
      [
        'The new one is:',
        ([rotation]) => curl('GET /api/user/self', { as: [`Authorization: Bearer ${tokenIn(rotation)}`, USER] }),
      ],
      ['That of the other account still is:', curl('GET /api/user/self', { as: BERT })],
    ],
  },
];
