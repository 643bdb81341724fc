import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { type Answer, isKeyList, type Passage, type Reply } from './passing.ts';

/** One way in which a request can go wrong. */
export interface FaultKind {
  readonly title: string;
  /** The number and time of deliveries to the gateway, for the documentation. */
  readonly committed: 'no' | 'yes' | 'twice' | 'later';
  readonly play: (passage: Passage) => Promise<Reply>;
  /** The requests that it is about; omitted: all. */
  readonly about?: (route: string) => boolean;
  /** Nobody listens on the port, from this request until the client has waited once. */
  readonly closesPort?: true;
  /** A list lacks a key, which only its total shows. */
  readonly hidesKey?: true;
  /** The client waits until its time limit. */
  readonly timesOut?: true;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const HTML = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';

const textAnswer = (status: number, text: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  kind: 'answer',
  answer: { status, headers, body: Buffer.from(text) },
});
const json = (status: number, body: unknown): Reply => textAnswer(status, JSON.stringify(body), JSON_TYPE);
const page = (status: number): Reply => textAnswer(status, HTML, { 'content-type': 'text/html' });
const refused = { success: false, message: 'the database is locked', data: null };
const openError = { error: { message: 'the upstream failed', type: 'new_api_error', code: '' } };

/** More than any client may read: 80 MB of blanks in 80 kB. */
const BOMB = gzipSync(Buffer.alloc(80_000_000, 0x20));
const bomb = (): Reply => ({
  kind: 'answer',
  answer: { status: 200, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: BOMB },
});

const half = (answer: Answer): Reply => ({ kind: 'answer', answer, cutAt: Math.ceil(answer.body.length / 2) });
const WHOLE: Answer = {
  status: 200,
  headers: JSON_TYPE,
  body: Buffer.from('{"success":true,"message":"","data":null}'),
};

type Page = { readonly data: { readonly items: readonly object[]; readonly total?: number } };

/** Changes the list in an answer. */
async function altered(passage: Passage, alter: (list: Page['data']) => object): Promise<Reply> {
  const answer = await passage.deliver();
  const parsed = JSON.parse(answer.body.toString()) as Page;
  const body = Buffer.from(JSON.stringify({ ...parsed, data: { ...parsed.data, ...alter(parsed.data) } }));
  return { kind: 'answer', answer: { ...answer, body } };
}

const before = (title: string, reply: () => Reply): FaultKind => ({
  title,
  committed: 'no',
  play: async () => reply(),
});

const after = (title: string, reply: () => Reply): FaultKind => ({
  title,
  committed: 'yes',
  async play(passage) {
    await passage.deliver();
    return reply();
  },
});

const both = (title: string, reply: () => Reply): readonly FaultKind[] => [
  before(`${title}, before the commit`, reply),
  after(`${title}, after the commit`, reply),
];

/** Every fault, in the order of the documentation. */
export const FAULTS: readonly FaultKind[] = [
  { ...before('a refused connection', () => ({ kind: 'cut' })), closesPort: true },
  ...both('a cut connection', () => ({ kind: 'cut' })),
  before('a 429 with Retry-After', () => textAnswer(429, '', { 'retry-after': '7' })),
  before('a 429 without Retry-After', () => textAnswer(429, '')),
  ...both('a 500', () => json(500, openError)),
  ...both('a 502 with an HTML page', () => page(502)),
  ...both('a 503 with JSON', () => json(503, openError)),
  ...both('a 504 with an HTML page', () => page(504)),
  ...both('a 200 with `success: false`', () => json(200, refused)),
  before('a 401', () => json(401, { ...refused, message: 'the access token is invalid' })),
  before('a 403 with the page of a firewall', () => page(403)),
  before('a 404', () => json(404, openError)),
  before('an answer cut in half, before the commit', () => half(WHOLE)),
  {
    title: 'an answer cut in half, after the commit',
    committed: 'yes',
    play: async ({ deliver }) => half(await deliver()),
  },
  ...both('JSON of another shape', () => json(200, { ok: true, result: [] })),
  ...both('an empty 200', () => textAnswer(200, '')),
  ...both('a 200 with an HTML page', () => page(200)),
  { ...redirect(301), title: 'a 301 to the same address' },
  { ...redirect(307), title: 'a 307 to the same address' },
  before('a 307 to another origin', () => textAnswer(307, '', { location: 'http://127.0.0.1:9/elsewhere' })),
  {
    title: 'a slow answer within the time limit',
    committed: 'yes',
    async play({ deliver }) {
      const answer = await deliver();
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      return { kind: 'answer', answer };
    },
  },
  { ...before('no answer within the time limit, and no commit', () => ({ kind: 'silence' })), timesOut: true },
  { ...after('no answer within the time limit, after the commit', () => ({ kind: 'silence' })), timesOut: true },
  {
    title: 'a commit after the run that timed out',
    committed: 'later',
    timesOut: true,
    async play({ afterRun, deliver }) {
      afterRun(deliver);
      return { kind: 'silence' };
    },
  },
  {
    title: 'a commit after the run whose connection was cut',
    committed: 'later',
    async play({ afterRun, deliver }) {
      afterRun(deliver);
      return { kind: 'cut' };
    },
  },
  ...both('a gzip bomb', bomb),
  {
    title: 'a request delivered twice, with the first answer',
    committed: 'twice',
    async play({ deliver }) {
      const answer = await deliver();
      await deliver();
      return { kind: 'answer', answer };
    },
  },
  {
    title: 'a request delivered twice, with the second answer',
    committed: 'twice',
    async play({ deliver }) {
      await deliver();
      return { kind: 'answer', answer: await deliver() };
    },
  },
  {
    title: 'a page that shifted, so that a key is missing',
    committed: 'yes',
    hidesKey: true,
    about: isKeyList,
    play: (passage) => altered(passage, ({ items }) => ({ items: items.toSpliced(items.length >> 1, 1) })),
  },
  {
    title: 'a page that shifted, so that a key is repeated and another one is missing',
    committed: 'yes',
    hidesKey: true,
    about: isKeyList,
    play: (passage) => altered(passage, ({ items }) => ({ items: [...items.slice(0, 1), ...items.slice(0, -1)] })),
  },
  {
    title: 'a total that is 200 too high',
    committed: 'yes',
    about: isKeyList,
    play: (passage) => altered(passage, ({ items, total = items.length }) => ({ total: total + 200 })),
  },
  {
    title: 'a total that is 1 too low',
    committed: 'yes',
    about: isKeyList,
    play: (passage) => altered(passage, ({ items, total = items.length }) => ({ total: total - 1 })),
  },
];

/** The client may follow a redirect to the same address; the second time it gets an answer. */
function redirect(status: number): Omit<FaultKind, 'title'> {
  return {
    committed: 'no',
    play: async ({ request }) => textAnswer(status, '', { location: request.path }),
  };
}
