// The floor of a run of checks: sends its requests as fast as a bare loop over undici can. Answers are read to their end, and
// ignored.
import { readFileSync } from 'node:fs';
import { type Dispatcher, Pool } from 'undici';
import type { CheckOrder } from './bare-orders.ts';

type Headers = Readonly<Record<string, string>>;

const { url, userId, accessToken, requests, concurrency, asked } = JSON.parse(
  readFileSync(process.argv[2] ?? '', 'utf8'),
) as CheckOrder;
const pool = new Pool(url, { connections: concurrency });
const own = {
  authorization: `Bearer ${accessToken}`,
  'new-api-user': String(userId),
  'content-type': 'application/json',
};

async function send(method: Dispatcher.HttpMethod, path: string, headers: Headers, body?: string): Promise<string> {
  const answer = await pool.request({ method, path, headers, ...(body === undefined ? {} : { body }) });
  const text = await answer.body.text();
  // Some gateways have no prices.
  const isAbsent = answer.statusCode === 404 && method === 'GET';
  if (answer.statusCode !== 200 && !isAbsent) throw new Error(`${method} ${path}: status ${answer.statusCode} ${text}`);
  return text;
}

const LISTS = { 'GET /api/token/': '&exclude_smart_routing=false', 'GET /api/log/self': '&type=0' };
const left: Record<string, number> = { ...requests };
const times = (route: string): readonly number[] => {
  const count = left[route] ?? 0;
  delete left[route];
  return Array.from({ length: count }, (_, index) => index + 1);
};

const ids: number[] = [];
for (const page of times('GET /api/token/')) {
  const text = await send('GET', `/api/token/?p=${page}&size=100${LISTS['GET /api/token/']}`, own);
  const { data } = JSON.parse(text) as { data: { items: readonly { id: number }[] } };
  ids.push(...data.items.map(({ id }) => id));
}
for (const page of times('POST /api/token/batch/keys')) {
  const some = ids.slice((page - 1) * 100, page * 100);
  await send('POST', '/api/token/batch/keys', own, JSON.stringify({ ids: some }));
}
const logs = times('GET /api/log/self');
for (const route of Object.keys(left).filter((each) => /^GET \/api\/[a-z/]+$/.test(each))) {
  for (const time of times(route)) await send('GET', `${route.slice('GET '.length)}?time=${time}`, own);
}
const queue = [...asked].reverse();
const worker = async (): Promise<void> => {
  for (let next = queue.pop(); next; next = queue.pop()) {
    const headers = { authorization: `Bearer sk-${next.key}`, 'content-type': 'application/json' };
    await send('POST', next.path, headers, JSON.stringify(next.body));
    const route = `POST ${next.path}`;
    left[route] = (left[route] ?? 0) - 1;
  }
};
await Promise.all(Array.from({ length: concurrency }, worker));
for (const page of logs) await send('GET', `/api/log/self?p=${page}&page_size=100`, own);
await pool.close();
const unsent = Object.entries(left).filter(([, count]) => count !== 0);
if (unsent.length > 0) throw new Error(`the bare loop did not send ${JSON.stringify(unsent)}`);
