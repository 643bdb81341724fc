import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ANNA, headersOf, SEED, SETTINGS, START, startTestGateway, type TestGateway, UNLIMITED } from '../harness.ts';

/** A request, and what it is answered or stored as: the shortest sequences in which deployed gateways surprise. */
type Row = readonly [what: string, work: (gateway: TestGateway) => Promise<unknown>, expected: unknown];

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startTestGateway({ profile: 'deployed' });
});
afterEach(() => gateway.close());

const LIMITED = { ...SETTINGS, unlimited_quota: false, remain_quota: 1000 };

const statusOf = async (at: TestGateway, id: number): Promise<unknown> =>
  (await at.storedKeys()).find((key) => key.id === id)?.status;

const setStatus = (at: TestGateway, body: object) => at.call('PUT', '/api/token/?status_only=true', body);

/** A key in a status that a use has moved it into. */
async function fallen(at: TestGateway, status: 3 | 4): Promise<number> {
  const id = await at.createKey({ ...LIMITED, name: 'fallen' });
  await at.control(
    'PATCH',
    `/keys/${id}`,
    status === 3 ? { status, expired_time: START - 1 } : { status, remain_quota: 0 },
  );
  return id;
}

const found = async (at: TestGateway, keyword: string): Promise<unknown> => {
  const answer = await at.call('GET', `/api/token/search?keyword=${encodeURIComponent(keyword)}`);
  return answer.success === true ? (answer.data as { total: number }).total : 'refused';
};

const STATUS: readonly Row[] = [
  ...[0, 3, 4, 5, -1, 99].map(
    (status): Row => [
      `a status of ${status} is stored`,
      async (at) => {
        const id = await at.createKey({ name: 'a' });
        await setStatus(at, { id, status });
        return statusOf(at, id);
      },
      status,
    ],
  ),
  [
    'a missing status is stored as 0',
    async (at) => {
      const id = await at.createKey({ name: 'a' });
      await setStatus(at, { id });
      return statusOf(at, id);
    },
    0,
  ],
  [
    'a status next to a name that is too long is refused',
    async (at) => {
      const id = await at.createKey({ name: 'a' });
      return [(await setStatus(at, { id, status: 2, name: 'x'.repeat(51) })).success, await statusOf(at, id)];
    },
    [false, 1],
  ],
  [
    'a disabled key that has expired is enabled',
    async (at) => {
      const id = await at.createKey({ ...LIMITED, name: 'a', expired_time: START - 10 });
      await setStatus(at, { id, status: 2 });
      return [(await setStatus(at, { id, status: 1 })).success, await statusOf(at, id)];
    },
    [true, 1],
  ],
  [
    'a disabled key without quota is enabled',
    async (at) => {
      const id = await at.createKey({ ...LIMITED, name: 'a', remain_quota: 0 });
      await setStatus(at, { id, status: 2 });
      return [(await setStatus(at, { id, status: 1 })).success, await statusOf(at, id)];
    },
    [true, 1],
  ],
  [
    'an expired key needs only its expiry corrected',
    async (at) => {
      const id = await fallen(at, 3);
      const before = (await setStatus(at, { id, status: 1 })).success;
      await at.call('PUT', '/api/token/', { ...LIMITED, id, name: 'a', remain_quota: 0, expired_time: -1 });
      return [before, (await setStatus(at, { id, status: 1 })).success];
    },
    [false, true],
  ],
  [
    'an exhausted key needs only its quota corrected',
    async (at) => {
      const id = await fallen(at, 4);
      const before = (await setStatus(at, { id, status: 1 })).success;
      await at.call('PUT', '/api/token/', { ...LIMITED, id, name: 'a', expired_time: START - 10 });
      return [before, (await setStatus(at, { id, status: 1 })).success];
    },
    [false, true],
  ],
];

const CREATES: readonly Row[] = [
  ...[undefined, null, 0].map(
    (expired_time): Row => [
      `an expiry of ${expired_time} is stored as never`,
      async (at) => {
        await at.call('POST', '/api/token/', { ...SETTINGS, name: 'a', expired_time });
        return (await at.storedKeys())[0]?.expired_time;
      },
      -1,
    ],
  ),
  ...[undefined, null].map(
    (allow_ips): Row => [
      `addresses of ${allow_ips} are stored as an empty text`,
      async (at) => {
        await at.call('POST', '/api/token/', { ...SETTINGS, name: 'a', allow_ips });
        return (await at.storedKeys())[0]?.allow_ips;
      },
      '',
    ],
  ),
  ...[
    [500_000_000_000_000, false, true],
    [500_000_000_000_001, false, false],
    [500_000_000_000_001, true, true],
  ].map(
    ([remain_quota, unlimited_quota, expected]): Row => [
      `a quota of ${remain_quota} of ${unlimited_quota ? 'an unlimited' : 'a limited'} key`,
      async (at) =>
        (await at.call('POST', '/api/token/', { ...SETTINGS, name: 'a', remain_quota, unlimited_quota })).success,
      expected,
    ],
  ),
];

const WIDE: readonly Row[] = [
  ...[9_007_199_254_740_994, -9_007_199_254_740_994].map(
    (remain_quota): Row => [
      `a quota of ${remain_quota} of an unlimited key is stored`,
      async (at) => {
        const id = await at.createKey({ name: 'a', remain_quota });
        return ((await at.call('GET', `/api/token/${id}`)).data as { remain_quota: number }).remain_quota;
      },
      remain_quota,
    ],
  ),
  [
    'a quota above 64 bits is refused',
    async (at) => (await at.call('POST', '/api/token/', { ...SETTINGS, name: 'a', remain_quota: 2 ** 63 })).success,
    false,
  ],
];

/** Headers that a proxy of nobody adds, with the status of a use of a key that only 10.0.0.1 may use. */
const ADDRESSES: readonly Row[] = [
  ...(
    [
      [{ 'x-real-ip': '10.0.0.1' }, 200],
      [{ 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.9.9.9' }, 200],
      [{ 'x-real-ip': 'nobody' }, 403],
      [{}, 403],
    ] as const
  ).map(
    ([headers, status]): Row => [
      `the address is that of ${JSON.stringify(headers)}`,
      async (at) => {
        await at.createKey({ name: 'a', allow_ips: '10.0.0.1,' });
        const authorization = `Bearer sk-${(await at.storedKeys()).at(-1)?.key}`;
        return (await at.call('GET', '/v1/models', undefined, { authorization, ...headers })).status;
      },
      status,
    ],
  ),
];

/** Spends on two models, and reads the statistics of the account. */
const statistics = (query: string) => async (at: TestGateway) => {
  const keyId = await at.createKey({ name: 'a' });
  for (const model of ['chat-a', 'chat-b'])
    await at.control('POST', '/spend', { keyId, quota: 10, model, promptTokens: 1 });
  const { success, data } = await at.call('GET', `/api/log/self/stat?${query}`);
  return success === true ? data : 'refused';
};

const STATISTICS: readonly Row[] = (
  [
    ['of every type whatever the type', 'type=5', { quota: 20, rpm: 2, tpm: 2 }],
    ['of one model', 'model_name=chat-b', { quota: 10, rpm: 1, tpm: 1 }],
    ['of models with a beginning', 'model_name=chat-%25', { quota: 20, rpm: 2, tpm: 2 }],
    ['refused for a pattern of nothing', 'model_name=%25%25', 'refused'],
    ['of another channel', 'channel=99', { quota: 0, rpm: 0, tpm: 0 }],
    ['of this channel', 'channel=1', { quota: 20, rpm: 2, tpm: 2 }],
    ['before a time, but not their rates', `end_timestamp=${START - 9}`, { quota: 0, rpm: 2, tpm: 2 }],
  ] as const
).map(([what, query, expected]) => [`the statistics are ${what}`, statistics(query), expected]);

const listed = (query: string) => async (at: TestGateway) => {
  await statistics('')(at);
  return ((await at.call('GET', `/api/log/self?${query}`)).data as { total: number } | undefined)?.total ?? 'refused';
};

const LOG: readonly Row[] = [
  ['the log finds models by a pattern', listed('model_name=chat%25'), 2],
  ['the log finds models by their whole name in any case', listed('model_name=CHAT-B'), 1],
  ['the log refuses a pattern of nothing', listed('model_name=%25%25'), 'refused'],
];

/** The status of a request to a path of its own. */
const answered =
  (method: string, path: string, { body, headers }: { body?: unknown; headers?: Record<string, string> } = {}) =>
  async (at: TestGateway) => {
    await at.createKey({ name: 'a' });
    const { status, success } = await at.call(method, path, body, headers);
    return success === undefined ? status : [status, success];
  };

const TOKEN = 'Bearer token-of-anna';
const REQUESTS: readonly Row[] = [
  [
    'a user ID may have a sign',
    answered('GET', '/api/user/self', { headers: { authorization: TOKEN, 'new-api-user': '+42' } }),
    [200, true],
  ],
  [
    'a token after two blanks is unknown',
    answered('GET', '/api/user/self', { headers: { authorization: TOKEN.replace(' ', '  '), 'new-api-user': '42' } }),
    [200, false],
  ],
  ['a reveal ignores its body', answered('POST', '/api/token/1/key', { body: '{broken' }), [200, true]],
  ['a delete ignores its body', answered('DELETE', '/api/token/1', { body: '{broken' }), [200, true]],
  ['a delete of no ID is an unknown path', answered('DELETE', '/api/token/'), 404],
  ['a body of null creates a key without a name', answered('POST', '/api/token/', { body: 'null' }), [200, true]],
  [
    'a body of another type is read as JSON',
    answered('POST', '/api/token/', {
      body: '{"name":"b"}',
      headers: { ...headersOf(ANNA), 'content-type': 'text/plain' },
    }),
    [200, true],
  ],
  [
    'a body of 70 MB is read',
    answered('POST', '/api/token/', { body: `{"name":"b","padding":"${'x'.repeat(70 * 1024 * 1024)}"}` }),
    [200, true],
  ],
  [
    'a preflight is allowed',
    answered('OPTIONS', '/api/token/', {
      headers: { origin: 'http://elsewhere', 'access-control-request-method': 'GET' },
    }),
    204,
  ],
];

const SEARCHES: readonly Row[] = [
  ['finds the whole name', (at) => found(at, 'app-one'), 1],
  ['finds it in another case', (at) => found(at, 'APP-one'), 1],
  ['finds no part of a name', (at) => found(at, 'app'), 0],
  ['finds a part with %', (at) => found(at, 'app%'), 2],
  ['takes _ for itself', (at) => found(at, 'app_one'), 0],
  ['finds no stored value', async (at) => found(at, String((await at.storedKeys())[0]?.key)), 0],
  ...['a%', '%%', '%a%b%', 'ab%%'].map((keyword): Row => [`refuses ${keyword}`, (at) => found(at, keyword), 'refused']),
];

const PATHS: readonly Row[] = [
  ...['/foo/api/token/', '/API/token/', '//api/token/', '/'].map(
    (path): Row => [
      `${path} is a page`,
      async (at) => {
        const { status, headers } = await at.call('GET', path);
        return [status, headers.get('content-type')?.split(';')[0]];
      },
      [200, 'text/html'],
    ],
  ),
  ['/api/none is an error', async (at) => (await at.call('GET', '/api/none')).status, 404],
  [
    'a batch of no keys cannot be deleted',
    async (at) => (await at.call('POST', '/api/token/batch', { ids: [] })).success,
    false,
  ],
  [
    'a batch of no keys cannot be revealed',
    async (at) => (await at.call('POST', '/api/token/batch/keys', { ids: [] })).success,
    false,
  ],
  [
    'a size of -1 is every key',
    async (at) => {
      for (let n = 0; n < 12; n += 1) await at.createKey({ name: `more-${n}` });
      return ((await at.call('GET', '/api/token/?page_size=-1')).data as { items: unknown[] }).items.length;
    },
    12,
  ],
];

describe('a deployed gateway', () => {
  it.each([...STATUS, ...CREATES, ...WIDE, ...ADDRESSES, ...STATISTICS, ...LOG, ...REQUESTS, ...PATHS])(
    '%s',
    async (_, work, expected) => {
      expect(await work(gateway)).toEqual(expected);
    },
  );

  it.each(SEARCHES)('%s', async (_, work, expected) => {
    for (const name of ['app-one', 'app-two']) await gateway.createKey({ name });
    expect(await work(gateway)).toEqual(expected);
  });
});

describe('the limits of a deployed gateway', () => {
  const BERT = { userId: 43, accessToken: 'token-of-bert' };
  const search = (at: TestGateway, headers?: Record<string, string>) =>
    at.call('GET', '/api/token/search?keyword=a', undefined, headers);

  it('of searches are those of a user, and asked for after the credentials', async () => {
    const limits = { ...UNLIMITED, search: { requests: 2, seconds: 60 }, reveal: { requests: 1, seconds: 60 } };
    const limited = await startTestGateway({ profile: 'deployed', seed: { ...SEED, limits } });
    const statuses = [];
    for (const headers of [headersOf(ANNA), headersOf(ANNA), headersOf(ANNA), headersOf(BERT), {}])
      statuses.push((await search(limited, headers)).status);
    expect(statuses).toEqual([200, 200, 429, 200, 401]);
    await limited.call('POST', '/api/token/1/key');
    expect((await limited.call('POST', '/api/token/1/key')).status).toBe(429);
    expect((await limited.call('POST', '/api/token/1/key', undefined, {})).status).toBe(401);
    await limited.close();
  });

  it('do not count paths that do not exist', async () => {
    const limits = { ...UNLIMITED, api: { requests: 1, seconds: 60 } };
    const limited = await startTestGateway({ profile: 'deployed', seed: { ...SEED, limits } });
    const statuses = [];
    for (const path of ['/api/none', '/api/status', '/api/status', '/api/none'])
      statuses.push((await limited.call('GET', path)).status);
    expect(statuses).toEqual([404, 200, 429, 404]);
    await limited.close();
  });
});

describe('a deployed gateway', () => {
  it.each([{ status: '1' }, { status: true }, { id: 'x' }, { used_quota: 'x' }, { created_time: 1.5 }])(
    'refuses to create a key with %j',
    async (odd) => {
      expect((await gateway.call('POST', '/api/token/', { ...SETTINGS, name: 'odd', ...odd })).success).toBe(false);
      expect(await gateway.storedKeys()).toEqual([]);
    },
  );

  it('takes null for no id, and for no status', async () => {
    const id = await gateway.createKey({ name: 'a' });
    expect((await gateway.call('POST', '/api/token/batch', { ids: [null] })).data).toBe(0);
    await setStatus(gateway, { id, status: null });
    expect(await statusOf(gateway, id)).toBe(0);
  });

  it.each([
    ['GET', '/api/token/1/', 301, '/api/token/1'],
    ['DELETE', '/api/token/1/', 307, '/api/token/1'],
    ['GET', '/api/user/self/?x=1', 301, '/api/user/self?x=1'],
    ['POST', '/api/token', 307, '/api/token/'],
    ['DELETE', '/api/token', 404, null],
  ])('answers %s %s with %i', async (method, path, status, location) => {
    const answer = await fetch(gateway.url + path, { method, redirect: 'manual', headers: headersOf(ANNA) });
    expect([answer.status, answer.headers.get('location')]).toEqual([status, location]);
  });

  it('drops Smart Routing', async () => {
    const id = await gateway.createKey({ name: 'a', smart_routing: true, smart_route_tiers: '{}' });
    expect((await gateway.call('GET', `/api/token/${id}`)).data).not.toHaveProperty('smart_routing');
    expect((await gateway.storedKeys())[0]).toMatchObject({ smart_routing: false, smart_route_tiers: '' });
  });

  it.each([
    ['page_size=0&ps=3', 1, 3],
    ['p=%2B2', 2, 10],
    ['p=-1', -1, 10],
    ['p=99999999999999999999', 9_223_372_036_854_775_807n, 10],
    ['p=-99999999999999999999', -9_223_372_036_854_775_808n, 10],
  ])('takes %s for page %s of %i', async (query, page, size) => {
    const { data, text } = await gateway.call('GET', `/api/token/?${query}`);
    if (typeof page === 'bigint') return expect(text).toContain(`"page":${page},`);
    return expect(data).toMatchObject({ page, page_size: size });
  });
});

describe('version 1.0 of a deployed gateway', () => {
  const open = (limits: object = UNLIMITED) => startTestGateway({ profile: 'deployed@1.0', seed: { ...SEED, limits } });

  it('lets the access token alone decide, and refuses an unknown one by its status', async () => {
    const newer = await open();
    const { accessToken } = ANNA;
    expect(
      (await newer.call('GET', '/api/user/self', undefined, headersOf({ userId: 999, accessToken }))).data,
    ).toMatchObject({
      id: 42,
    });
    expect(
      await newer.call('GET', '/api/user/self', undefined, headersOf({ userId: 42, accessToken: 'none' })),
    ).toMatchObject({ status: 401, json: { success: false, code: 'AUTH_UNAUTHORIZED' } });
    await newer.close();
  });

  it('names the whole window after a 429', async () => {
    const newer = await open({ ...UNLIMITED, api: { requests: 1, seconds: 180 } });
    await newer.call('GET', '/api/status');
    const answer = await newer.call('GET', '/api/status');
    expect([answer.status, answer.text, answer.headers.get('retry-after')]).toEqual([429, '', '180']);
    await newer.close();
  });

  it('keeps cross-group retry and the groups of its own only in the group auto', async () => {
    const newer = await open();
    const id = await newer.createKey({ name: 'a', cross_group_retry: true });
    expect((await newer.call('GET', `/api/token/${id}`)).data).toMatchObject({
      cross_group_retry: false,
      auto_groups: null,
    });
    const auto = { ...SETTINGS, id, name: 'a', group: 'auto', cross_group_retry: true, auto_groups: ['vip'] };
    expect((await newer.call('PUT', '/api/token/', auto)).data).toMatchObject({
      cross_group_retry: true,
      auto_groups: ['vip'],
    });
    await newer.close();
  });
});
