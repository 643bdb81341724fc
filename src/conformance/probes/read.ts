import { Secret } from '../../domain/index.ts';
import { missingFields, secretFormOf } from '../../wire/index.ts';
import { asCode, at, isSuccess, listPlace, recordsIn, refusal, refused, Unprovable } from '../answers.ts';
import type { Listed, Probe, Subject } from '../probe.ts';

/** @throws Unprovable when there are fewer keys */
async function keysOf({ listed }: Subject, atLeast: number): Promise<Listed> {
  const found = await listed();
  if (found.records.length < atLeast)
    throw new Unprovable(`the account needs ${atLeast === 1 ? 'a key' : `${atLeast} keys`} for it`);
  return found;
}

const idsIn = (json: unknown): readonly unknown[] => recordsIn(json).map(({ id }) => id);

const list = (subject: Subject, query: Readonly<Record<string, string>>) =>
  subject.ask({ method: 'GET', path: '/api/token/', query });

export const READ_PROBES: readonly Probe[] = [
  {
    id: 'status.quota-per-unit',
    level: 'read',
    title: 'Does the status report the quota of one dollar?',
    conforming: { yes: 'amounts in dollars can be converted' },
    known: {},
    async observe({ ask }) {
      const { json } = await ask({ method: 'GET', path: '/api/status', as: 'nobody' });
      return typeof at(json, 'data.quota_per_unit') === 'number' ? 'yes' : 'no';
    },
  },
  {
    id: 'credentials.no-token',
    level: 'read',
    title: 'How is a request without a token refused?',
    conforming: { '401': 'by its status', '200 success: false': 'in the envelope' },
    known: {},
    observe: async ({ ask }) => refused(await ask({ method: 'GET', path: '/api/user/self', as: 'nobody' })),
  },
  {
    id: 'credentials.wrong-token',
    level: 'read',
    title: 'How is a wrong access token refused?',
    conforming: { '401': 'by its status', '200 success: false': 'in the envelope' },
    known: { '403': 'by another status' },
    observe: async ({ ask }) =>
      refused(await ask({ method: 'GET', path: '/api/user/self', as: { token: new Secret('0'.repeat(32)) } })),
  },
  {
    id: 'credentials.user-header',
    level: 'read',
    title: 'Is the user ID of a request compared with the owner of the token?',
    conforming: { yes: 'a token with the ID of another user is refused' },
    known: { no: 'the token alone decides whose keys are changed' },
    async observe({ ask, userId }) {
      const answer = await ask({ method: 'GET', path: '/api/user/self', as: { userId: userId + 1_000_003 } });
      return isSuccess(answer) ? 'no' : 'yes';
    },
  },
  {
    id: 'keys.list.place',
    level: 'read',
    title: 'Where in the answer is the list of keys?',
    conforming: { 'data.items': 'in a page' },
    known: { data: 'bare, without a page around it', 'data.data': 'in a page of another form' },
    async observe({ listed }) {
      return listPlace((await listed()).json) ?? 'none';
    },
  },
  {
    id: 'keys.list.total',
    level: 'read',
    title: 'Does a page of keys report how many there are?',
    conforming: {
      'data.total': 'a key that is missing from a list is noticed',
      none: 'the contract promises none; lists are read twice before a key is created',
    },
    known: { 'data.total_count': 'under another name' },
    async observe({ listed }) {
      const { json } = await listed();
      return ['data.total', 'data.total_count'].find((path) => typeof at(json, path) === 'number') ?? 'none';
    },
  },
  {
    id: 'keys.list.first-page',
    level: 'read',
    title: 'Which is the first page of keys?',
    conforming: { '1': 'p=1' },
    known: { '0': 'p=0: a client that begins with 1 misses the first page' },
    async observe(subject) {
      await keysOf(subject, 1);
      const [first, second] = await Promise.all([list(subject, { p: '0' }), list(subject, { p: '1' })]);
      const [zero, one] = [idsIn(first.json), idsIn(second.json)];
      if (one.length > 0 && String(one) === String(zero)) return '1';
      return one.length > 0 && zero.length === 0 ? '1' : '0';
    },
  },
  {
    id: 'keys.list.page-size',
    level: 'read',
    title: 'Is the size of a page taken from the request?',
    conforming: { yes: 'page_size is honoured' },
    known: { no: 'pages have a size of their own' },
    async observe(subject) {
      await keysOf(subject, 2);
      const { json } = await list(subject, { p: '1', page_size: '1' });
      return recordsIn(json).length === 1 ? 'yes' : 'no';
    },
  },
  {
    id: 'keys.list.largest-page',
    level: 'read',
    title: 'How is a page size above 100 answered?',
    conforming: { refused: 'it is refused', limited: 'with at most 100 keys' },
    known: { more: 'with more than 100 keys' },
    async observe(subject) {
      const answer = await list(subject, { p: '1', page_size: '101' });
      if (!isSuccess(answer)) return 'refused';
      const size = at(answer.json, 'data.page_size');
      if (typeof size === 'number') return size > 100 ? 'more' : 'limited';
      return recordsIn(answer.json).length > 100 ? 'more' : 'limited';
    },
  },
  {
    id: 'keys.list.order',
    level: 'read',
    title: 'In which order are keys listed?',
    conforming: { 'oldest first': 'by ID', 'newest first': 'by ID, descending' },
    known: {},
    async observe(subject) {
      const ids = (await keysOf(subject, 2)).records.map(({ id }) => Number(id));
      const pairs = ids.slice(1).map((id, i) => Math.sign(id - (ids[i] ?? 0)));
      if (pairs.every((sign) => sign > 0)) return 'oldest first';
      return pairs.every((sign) => sign < 0) ? 'newest first' : 'neither';
    },
  },
  {
    id: 'keys.record.secret',
    level: 'read',
    title: 'How does a listed key show its credential?',
    conforming: { masked: 'asterisks only', 'masked in the middle': 'the first and the last characters' },
    known: { clear: 'in clear: whoever can list keys can use them' },
    async observe(subject) {
      const [record = {}] = (await keysOf(subject, 1)).records;
      return secretFormOf(String(record.key ?? ''));
    },
  },
  {
    id: 'keys.record.missing-fields',
    level: 'read',
    title: 'Which fields of the contract does a key record lack?',
    conforming: { none: 'it has every field' },
    known: {
      'smart_routing, smart_route_tiers': 'Smart Routing does not exist here',
      'cross_group_retry, smart_routing, smart_route_tiers': 'neither Smart Routing nor cross-group retry exists here',
      'cross_group_retry, model_limits_enabled, model_limits, allow_ips, smart_routing, smart_route_tiers':
        'models and addresses have other names',
      'group, cross_group_retry, model_limits_enabled, model_limits, allow_ips, smart_routing, smart_route_tiers':
        'models and addresses have other names, and keys have no group',
    },
    async observe(subject) {
      const [record = {}] = (await keysOf(subject, 1)).records;
      return missingFields(record);
    },
  },
  {
    id: 'keys.without-slash',
    level: 'read',
    title: 'How is /api/token without its last slash answered?',
    conforming: { list: 'as with it', '404': 'there is no such path', redirect: 'with a redirect' },
    known: {},
    async observe({ ask }) {
      const answer = await ask({ method: 'GET', path: '/api/token', query: { p: '1' } });
      if (answer.status >= 300 && answer.status < 400) return 'redirect';
      return isSuccess(answer) ? 'list' : String(answer.status);
    },
  },
  {
    id: 'groups.form',
    level: 'read',
    title: 'How are the groups of the account listed?',
    conforming: { names: 'as names', map: 'by name, with a ratio and a description' },
    known: { '404': 'not at all' },
    async observe({ ask }) {
      const answer = await ask({ method: 'GET', path: '/api/user/self/groups' });
      if (!isSuccess(answer)) return String(answer.status);
      return Array.isArray(at(answer.json, 'data')) ? 'names' : 'map';
    },
  },
  {
    id: 'log.place',
    level: 'read',
    title: 'Where in the answer is the usage log?',
    conforming: { 'data.items': 'in a page' },
    known: { data: 'bare, without a page around it', 'data.data': 'in a page of another form' },
    async observe({ ask }) {
      const { json } = await ask({ method: 'GET', path: '/api/log/self', query: { p: '1', page_size: '10' } });
      return listPlace(json) ?? 'none';
    },
  },
  {
    id: 'log.entry.missing-fields',
    level: 'read',
    title: 'Which fields that identify an entry does the usage log lack?',
    conforming: { none: 'key and request are named' },
    known: {
      request_id: 'charges cannot be matched with requests',
      token_id: 'charges are matched by the request, and listed by the name of the key only',
      'token_id, request_id': 'charges are matched by the name of the key only',
    },
    async observe({ ask }) {
      const { json } = await ask({
        method: 'GET',
        path: '/api/log/self',
        query: { p: '1', page_size: '10', type: '2' },
      });
      const [entry] = recordsIn(json).filter(({ type }) => type === 2);
      if (!entry) throw new Unprovable('the usage log is empty');
      return ['token_id', 'request_id'].filter((field) => !Object.hasOwn(entry, field)).join(', ') || 'none';
    },
  },
  {
    id: 'inference.unknown-key',
    level: 'read',
    title: 'How is an unknown API key refused?',
    conforming: { '401': 'by its status', '401 invalid_api_key': 'by its status and code' },
    known: {},
    observe: async ({ ask }) =>
      refusal(
        await ask({
          method: 'POST',
          path: '/v1/chat/completions',
          as: { key: new Secret(`sk-${'0'.repeat(48)}`) },
          body: { model: 'none', messages: [{ role: 'user', content: 'x' }] },
        }),
      ),
  },
  {
    id: 'inference.error-type',
    level: 'read',
    title: 'Which type do errors of the inference API have?',
    conforming: { invalid_request_error: 'that of the contract' },
    known: {
      new_api_error: 'that of new-api',
      one_api_error: 'that of one-api',
      veloera_error: 'that of Veloera',
      one_hub_error: 'that of one-hub',
    },
    async observe({ ask }) {
      const as = { key: new Secret(`sk-${'0'.repeat(48)}`) };
      const { json } = await ask({ method: 'GET', path: '/v1/models', as });
      return asCode(at(json, 'error.type') ?? 'none');
    },
  },
  {
    id: 'prices.public',
    level: 'read',
    title: 'Are the prices of models public?',
    conforming: { no: 'the contract does not promise it', yes: 'costs can be estimated before anything is paid' },
    known: {},
    async observe({ ask }) {
      const answer = await ask({ method: 'GET', path: '/api/pricing' });
      return answer.status === 200 && Array.isArray(at(answer.json, 'data')) ? 'yes' : 'no';
    },
  },
];
