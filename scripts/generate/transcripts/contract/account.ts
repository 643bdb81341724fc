// Public status, the account, credentials, and unknown paths.
import { ANNA, BERT, curl, NOBODY, statuses } from '../curl.ts';
import type { Section } from '../page.ts';

const [TOKEN, USER] = ANNA;

export const PROTECTED = [
  'GET /api/user/self',
  'GET /api/user/self/groups',
  'GET /api/user/token',
  'POST /api/token/',
  'GET /api/token/',
  'GET /api/token/search',
  'GET /api/token/1',
  'POST /api/token/1/key',
  'POST /api/token/batch/keys',
  'PUT /api/token/',
  'PUT /api/token/?status_only=true',
  'DELETE /api/token/1',
  'POST /api/token/batch',
  'GET /api/log/self',
  'GET /api/log/self/stat',
];

export const ACCOUNT: readonly Section[] = [
  {
    title: 'GET /api/status',
    steps: [['No credentials are needed.', curl('GET /api/status', { as: NOBODY })]],
  },
  {
    title: 'GET /api/user/self',
    steps: [
      ['Anna:', curl('GET /api/user/self')],
      ['Bert:', curl('GET /api/user/self', { as: BERT })],
    ],
  },
  {
    title: 'GET /api/user/self/groups',
    steps: [
      ['A list of names. Anna may use every group of the gateway.', curl('GET /api/user/self/groups')],
      ['Bert may use one.', curl('GET /api/user/self/groups', { as: BERT })],
    ],
  },
  {
    title: 'Authentication: both headers, or 401',
    about: 'Missing credentials and a user id that does not belong to the token are HTTP 401.',
    steps: [
      ['Neither header:', curl('GET /api/user/self', { as: NOBODY })],
      ['No user id:', curl('GET /api/user/self', { as: [TOKEN] })],
      ['No token:', curl('GET /api/user/self', { as: [USER] })],
      ['No `Bearer`:', curl('GET /api/user/self', { as: ['Authorization: token-of-anna', USER] })],
      ['The user id of somebody else:', curl('GET /api/user/self', { as: [TOKEN, 'New-Api-User: 43'] })],
      ['A user id of nobody:', curl('GET /api/user/self', { as: [TOKEN, 'New-Api-User: 4711'] })],
      ['A user id that is not a number:', curl('GET /api/user/self', { as: [TOKEN, 'New-Api-User: anna'] })],
      ['Every protected endpoint, without credentials:', statuses(PROTECTED, { as: NOBODY })],
      ['Every protected endpoint, without the user id:', statuses(PROTECTED, { as: [TOKEN] })],
      ['Every protected endpoint, without the token:', statuses(PROTECTED, { as: [USER] })],
    ],
  },
  {
    title: 'Authentication: an unknown token is HTTP 200',
    about: '… with `success` false: a client that only looks at the status mistakes it for a success.',
    steps: [
      ['To the self-read:', curl('GET /api/user/self', { as: ['Authorization: Bearer nobodys', USER] })],
      ['To a write:', curl('DELETE /api/token/1', { as: ['Authorization: Bearer nobodys', USER] })],
    ],
  },
  {
    title: 'Errors: unknown paths and methods',
    steps: [
      ['Below `/api`:', curl('GET /api/nothing', { as: NOBODY })],
      ['`/api/token` without its slash:', curl('GET /api/token')],
      ['A method that the path does not have:', curl('PATCH /api/token/')],
      ['Elsewhere:', curl('GET /nothing', { as: NOBODY })],
      ['A path that cannot be decoded:', curl('GET /api/token/%ZZ')],
      ['An id that is too long:', curl(`GET /api/token/${'1'.repeat(120)}`)],
    ],
  },
];
