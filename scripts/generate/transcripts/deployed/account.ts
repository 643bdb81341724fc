// Public status, the account, credentials, unknown paths, and the errors of `/v1`.
import { PROTECTED } from '../contract/account.ts';
import { ANNA, BERT, control, curl, inTurn, NOBODY, statuses } from '../curl.ts';
import type { Section } from '../page.ts';
import { secret } from '../world.ts';

const [TOKEN, USER] = ANNA;
const credential = (name: string): string => `Authorization: Bearer sk-${secret(name)}`;
const spend = (body: unknown): string => control('POST /spend', body).replace('-sS', '-sS -i');

export const ACCOUNT: readonly Section[] = [
  {
    title: 'Status and account have more fields',
    steps: [
      ['`GET /api/status`:', curl('GET /api/status', { as: NOBODY })],
      ['`GET /api/user/self`:', curl('GET /api/user/self')],
    ],
  },
  {
    title: 'Groups are a map',
    steps: [
      ['All of them:', curl('GET /api/user/self/groups')],
      ['Those of Bert:', curl('GET /api/user/self/groups', { as: BERT })],
    ],
  },
  {
    title: 'Credentials and messages',
    steps: [
      ['No token is 401; the message is Chinese.', curl('GET /api/user/self', { as: NOBODY })],
      ['An unknown token is HTTP 200:', curl('GET /api/user/self', { as: ['Authorization: Bearer nobodys', USER] })],
      ['No user id is 401:', curl('GET /api/user/self', { as: [TOKEN] })],
      ['A malformed one too:', curl('GET /api/user/self', { as: [TOKEN, 'New-Api-User: anna'] })],
      ['And a foreign one:', curl('GET /api/user/self', { as: [TOKEN, 'New-Api-User: 43'] })],
      ['`Bearer` can be omitted:', curl('GET /api/user/self', { as: ['Authorization: token-of-anna', USER] })],
      ['Every protected endpoint, without credentials:', statuses(PROTECTED, { as: NOBODY })],
    ],
  },
  {
    title: 'Unknown paths are not in the envelope',
    steps: [
      ['Below `/api`:', curl('GET /api/nothing')],
      ['Elsewhere:', curl('GET /nothing')],
      ['A method that the path does not have:', curl('PATCH /api/token/')],
      ['A path that cannot be decoded:', curl('GET /api/token/%ZZ')],
      [
        'A proxy in front answers HTML (here by fault injection):',
        inTurn(control('POST /faults', { kind: 'html', path: '/api/user/self' }), curl('GET /api/user/self')),
      ],
    ],
  },
  {
    title: 'The missing slash redirects',
    steps: [
      ['GET with 301:', curl('GET /api/token?p=1')],
      ['A request with a body with 307:', curl('POST /api/token', { body: { name: 'no' } })],
    ],
  },
  {
    title: 'Rejections of /v1',
    about: 'All problems with the key itself look the same; an empty wallet is not a bad key.',
    steps: [
      ['No key:', curl('GET /v1/models', { as: NOBODY })],
      ['An unknown one:', curl('GET /v1/models', { as: ['Authorization: Bearer sk-nobodys'] })],
      ['An expired one:', curl('GET /v1/models', { as: [credential('lapsed')] })],
      ['An exhausted one:', curl('GET /v1/models', { as: [credential('spent')] })],
      [
        'An address that is not allowed:',
        curl('GET /v1/models', { as: [credential('checkout'), 'X-Forwarded-For: 192.0.2.1'] }),
      ],
      ['A model that the key cannot use:', spend({ keyId: 1, quota: 1, model: 'text-embedding-3-small' })],
      ['A model without a channel:', spend({ keyId: 2, quota: 1, model: 'beta-chat-9' })],
      ['An empty wallet:', spend({ keyId: 6, quota: 6_000 })],
      ['Too little quota for the pre-charge:', spend({ keyId: 1, quota: 1, precharge: 60_000 })],
      ['A valid key, and only the models that it can use:', curl('GET /v1/models', { as: [credential('checkout')] })],
    ],
  },
  {
    title: 'The usage log has filters, and ordinals for ids',
    steps: [
      [
        'Two keys spend, a minute apart.',
        inTurn(
          control('POST /spend', {
            keyId: 2,
            quota: 250,
            model: 'alpha-chat-1',
            promptTokens: 40,
            completionTokens: 40,
          }),
          control('POST /clock', { advance: 60 }),
          control('POST /spend', { keyId: 1, quota: 100, model: 'alpha-chat-1', promptTokens: 90 }),
        ),
      ],
      ['All:', curl('GET /api/log/self')],
      ['By `token_name`. The same entry has another id:', curl('GET /api/log/self?token_name=index')],
      ['By `group`:', curl('GET /api/log/self?group=vip')],
      ['By `type`; 5 are errors:', curl('GET /api/log/self?type=5')],
      ['By time, both ends included:', curl('GET /api/log/self?start_timestamp=1800000000&end_timestamp=1800000000')],
      ['By `model_name`:', curl('GET /api/log/self?model_name=nothing')],
      ['By `request_id`:', curl('GET /api/log/self?request_id=nothing')],
      ['`rpm` and `tpm` are the use of the last 60 seconds:', curl('GET /api/log/self/stat')],
    ],
  },
];
