import { MODEL } from '../peer.ts';
import type { Operation } from './operation.ts';

/** A sequence for an empty account, and a name for it. */
export interface Directed {
  readonly name: string;
  readonly operations: readonly Operation[];
}

const LATER = Math.floor(Date.now() / 1000) + 86_400;
const EARLIER = Math.floor(Date.now() / 1000) - 86_400;

/** The settings of a key without limits. */
const FREE = { expired_time: -1, remain_quota: 0, unlimited_quota: true };
const LIMITED = { expired_time: -1, remain_quota: 1_000_000, unlimited_quota: false };

export const create = (settings: object): Operation => ({
  method: 'POST',
  path: '/api/token/',
  body: JSON.stringify(settings),
});
/** @param settings with the id as a text such as `<0>` */
export const update = (settings: object): Operation => ({ ...create({ id: '<0>', ...settings }), method: 'PUT' });
export const setStatus = (body: object): Operation => ({
  method: 'PUT',
  path: '/api/token/?status_only=true',
  body: JSON.stringify({ id: '<0>', ...body }),
});
/** Texts that stand for ids become numbers. */
export const withNumbers = ({ body, ...rest }: Operation): Operation => ({
  ...rest,
  ...(body === undefined ? {} : { body: body.replace(/"(<\d+>)"/g, '$1') }),
});
export const get = (path: string, as?: Operation['as']): Operation => ({
  method: 'GET',
  path,
  ...(as === undefined ? {} : { as }),
});
export const chat = (body: object | string, as: Operation['as'] = 0): Operation => ({
  method: 'POST',
  path: '/v1/chat/completions',
  body: typeof body === 'string' ? body : JSON.stringify(body),
  as,
});
export const CHAT = { model: MODEL, messages: [{ role: 'user', content: 'one two three' }], max_tokens: 5 };

/** Values of one field, as JSON texts. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  name: ['""', '" "', '"ä"', `"${'n'.repeat(50)}"`, `"${'n'.repeat(51)}"`, `"${'ä'.repeat(26)}"`, 'null', '5', '"a%b"'],
  status: ['0', '1', '2', '3', '4', '5', '-1', 'null', '"1"', 'true'],
  expired_time: ['-1', '0', '1', '-5', String(EARLIER), String(LATER), 'null', '1.5', '"x"', '9007199254740993'],
  remain_quota: [
    '0',
    '1',
    '-1',
    '500000000000000',
    '500000000000001',
    '9007199254740991',
    '9007199254740993',
    'null',
    '1.5',
    '"1"',
    '1e3',
    '5.0',
  ],
  unlimited_quota: ['true', 'false', 'null', '1', '"true"'],
  model_limits_enabled: ['true', 'false', 'null', '1'],
  model_limits: [
    '""',
    `"${MODEL}"`,
    `"${MODEL},other"`,
    '" a , b "',
    '"a,,b"',
    'null',
    '5',
    '["a"]',
    `"${'m'.repeat(1025)}"`,
  ],
  allow_ips: ['""', '"127.0.0.1"', '"10.0.0.1,"', '"10.0.0.0/8\\n127.0.0.1"', '"not an address"', 'null', '5'],
  group: ['""', '"default"', '"vip"', '"auto"', '"no-such-group"', 'null', '5'],
  cross_group_retry: ['true', 'false', 'null', '"x"'],
  key: ['"sk-mine"', '""'],
  used_quota: ['5', '-5'],
  created_time: ['5'],
  user_id: ['5'],
  unknown_field: ['1'],
};

const settingsWith = (base: object, field: string, json: string): string => {
  const members = Object.entries(base).filter(([name]) => name !== field);
  const texts = members.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...texts, `${JSON.stringify(field)}:${json}`].join(',')}}`;
};

const eachValue = (what: string, build: (field: string, json: string) => readonly Operation[]): readonly Directed[] =>
  Object.entries(VALUES).flatMap(([field, values]) =>
    values.map((json) => ({ name: `${what} ${field} ${json.slice(0, 30)}`, operations: build(field, json) })),
  );

const made = create({ name: 'made', ...FREE });
const madeLimited = create({ name: 'made', ...LIMITED });

const SETTINGS: readonly Directed[] = [
  ...eachValue('create', (field, json) => [{ ...made, body: settingsWith({ name: 'one', ...FREE }, field, json) }]),
  ...eachValue('create limited', (field, json) => [
    { ...made, body: settingsWith({ name: 'one', ...LIMITED }, field, json) },
  ]),
  ...eachValue('update', (field, json) => [
    madeLimited,
    { ...update({}), body: settingsWith({ id: '<0>', name: 'one', ...LIMITED }, field, json) },
  ]),
  ...eachValue('status with', (field, json) => [
    madeLimited,
    { ...setStatus({}), body: settingsWith({ id: '<0>', status: 2 }, field, json) },
  ]),
];

const STATES: readonly Directed[] = [
  ['expired', { ...LIMITED, expired_time: EARLIER }],
  ['without quota', { ...LIMITED, remain_quota: 0 }],
  ['free', FREE],
].flatMap(([name, settings]): Directed[] => {
  const start = create({ name: 'one', ...(settings as object) });
  const status = [1, 2].map((value) => setStatus({ status: value }));
  return [
    { name: `disable and enable a key that is ${name}`, operations: [start, status[1], status[0], status[0]] },
    {
      name: `use a key that is ${name}, then change it`,
      operations: [start, chat(CHAT), ...status, update({ name: 'two', ...FREE }), chat(CHAT)],
    },
    { name: `use a disabled key that is ${name}`, operations: [start, status[1], chat(CHAT), get('/v1/models', 0)] },
  ].map(({ name: title, operations }) => ({
    name: title,
    operations: operations.filter((item) => item !== undefined),
  }));
});

const QUERIES = [
  ...[
    'p=1',
    'p=2',
    'p=0',
    'p=-1',
    'p=x',
    'page_size=1',
    'page_size=0',
    'page_size=-1',
    'page_size=101',
    'size=1',
    'ps=1',
  ],
  ...['p=1&size=2', 'page_size=0&ps=3', 'p=%2B2', 'p=1.5', 'page_size=1e1', 'p=99999999999999999999'],
];

const READS: readonly Directed[] = [
  {
    name: 'pages of keys',
    operations: [
      ...['a', 'b', 'c'].map((name) => create({ name, ...FREE })),
      ...QUERIES.map((query) => get(`/api/token/?${query}`)),
    ],
  },
  ...['a', 'abc', '%25', 'a%25', 'ab%25', '%25%25', '', 'no%20such', '_', 'a%25b'].flatMap((keyword) =>
    [`keyword=${keyword}`, `keyword=${keyword}&p=1&size=1`, `token=${keyword}`].map((query) => ({
      name: `search ${query}`,
      operations: [...['a', 'abc', 'a%b'].map((name) => create({ name, ...FREE })), get(`/api/token/search?${query}`)],
    })),
  ),
  ...['<0>', '0', '-1', 'x', '987654321', '1.5', '99999999999999999999', '%20', '<0>/'].flatMap((id) =>
    (['GET', 'DELETE'] as const).map((method) => ({
      name: `${method} ${id}`,
      operations: [made, { method, path: `/api/token/${id}` }],
    })),
  ),
  ...['[]', '[<0>]', '[<0>,<0>]', '[<0>,987654321]', '[0]', '["x"]', '[null]', 'null', '5', '[-1]'].flatMap((ids) =>
    ['/api/token/batch', '/api/token/batch/keys'].map((path) => ({
      name: `${path} ${ids}`,
      operations: [made, { method: 'POST', path, body: `{"ids":${ids}}` }],
    })),
  ),
  ...['<0>', '0', 'x', '987654321'].map((id) => ({
    name: `reveal ${id}`,
    operations: [made, { method: 'POST', path: `/api/token/${id}/key` }],
  })),
];

const PEOPLE: readonly Directed[] = (['nobody', 'stranger'] as const).flatMap((as) =>
  [
    { method: 'GET', path: '/api/token/' },
    { method: 'GET', path: '/api/token/search?keyword=a' },
    { method: 'GET', path: '/api/user/self' },
    { method: 'GET', path: '/api/user/self/groups' },
    { method: 'GET', path: '/api/log/self' },
    { method: 'GET', path: '/v1/models' },
    { method: 'POST', path: '/api/token/', body: '{"name":"x"}' },
    { method: 'POST', path: '/v1/chat/completions', body: JSON.stringify(CHAT) },
    { method: 'GET', path: '/v1/no-such-path' },
    { method: 'GET', path: '/api/no-such-path' },
  ].map(
    (operation): Directed => ({
      name: `${as}: ${operation.method} ${operation.path}`,
      operations: [{ ...operation, as }],
    }),
  ),
);

/** Only what the keys of one sequence used: the log keeps what earlier ones did. */
const usedBy = (name: string, more = ''): Operation => get(`/api/log/self?type=2&token_name=${name}${more}`);

const BODIES = [
  CHAT,
  { ...CHAT, model: 'no-such-model' },
  { ...CHAT, messages: [] },
  { ...CHAT, messages: 'text' },
  { model: MODEL },
  { messages: CHAT.messages },
  { ...CHAT, max_tokens: -1 },
  { ...CHAT, max_tokens: 'x' },
  { ...CHAT, temperature: 9 },
  { ...CHAT, unknown_field: 1 },
  '{',
  '',
  'null',
  '[]',
];

const USES: readonly Directed[] = [
  ...BODIES.map((body, index) => ({
    name: `chat ${JSON.stringify(body)}`,
    operations: [create({ name: `body-${index}`, ...FREE }), chat(body), usedBy(`body-${index}`)],
  })),
  ...[
    { ...LIMITED, remain_quota: 1 },
    { ...LIMITED, expired_time: EARLIER },
    { ...FREE, model_limits_enabled: true, model_limits: 'other' },
    { ...FREE, model_limits_enabled: true, model_limits: MODEL },
    { ...FREE, allow_ips: '10.0.0.1' },
    { ...FREE, allow_ips: '127.0.0.1' },
    { ...FREE, group: 'vip' },
    LIMITED,
  ].map((settings) => ({
    name: `use a key with ${JSON.stringify(settings)}`,
    operations: [create({ name: 'one', ...settings }), chat(CHAT), get('/v1/models', 0), get('/api/user/self/groups')],
  })),
  {
    name: 'the log and its sum',
    operations: [
      create({ name: 'logged', ...LIMITED }),
      ...[chat(CHAT), chat(CHAT), chat(CHAT)],
      ...QUERIES.map((query) => usedBy('logged', `&${query}`)),
      usedBy('logged', `&model_name=${MODEL}`),
      usedBy('logged', '&model_name=alpha%25'),
      usedBy('nobody'),
      get('/api/log/self/stat?type=2&token_name=logged'),
      get('/api/log/self/stat?type=5&token_name=logged'),
    ],
  },
];

/** Creates whose bodies are not what a client writes. */
const ODD_BODIES: readonly Directed[] = [
  '{"name":"one","unlimited_quota":true} and more',
  '{"name":"one","unlimited_quota":true}{"name":"two"}',
  'null and more',
  '{"NAME":"one","Unlimited_Quota":true}',
  '{"name":"one","Name":"two","unlimited_quota":true}',
  '{"name":"o\\u0000ne","unlimited_quota":true}',
  '\ufeff{"name":"one"}',
  '{"name":"one",}',
  '[]',
].map((body) => ({
  name: `create ${JSON.stringify(body)}`,
  operations: [{ method: 'POST', path: '/api/token/', body }],
}));

/** Endpoints beyond the contract. */
const FURTHER: readonly Directed[] = [
  get('/api/user/models'),
  get('/api/user/models', 'nobody'),
  get('/api/usage/token/', 0),
  get('/api/usage/token/', 'nobody'),
  get('/v1/files', 0),
  get('/v1/files', 'nobody'),
  { method: 'POST', path: '/v1/files', body: JSON.stringify({ model: MODEL }), as: 0 } as const,
].map((operation) => ({
  name: `${operation.method} ${operation.path} as ${operation.as}`,
  operations: [made, operation],
}));

export const DIRECTED: readonly Directed[] = [
  ...[...SETTINGS, ...STATES, ...READS, ...PEOPLE, ...USES],
  ...[...ODD_BODIES, ...FURTHER],
].map(({ name, operations }) => ({ name, operations: operations.map(withNumbers) }));
