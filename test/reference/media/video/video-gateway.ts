import type { ReferenceOptions, Seed } from '../../../../src/reference/index.ts';
import { type Body, SEED, START, send, startTestGateway, type TestAnswer, type TestGateway } from '../../harness.ts';

export const EPSILON = 'epsilon-video-2-0-260128';
export const DELTA = 'delta-H3';
const PRICE = 0.5;
/** The price of a task in quota units. */
export const COST = 250_000;
const SECRET = 'secretOfAnna';
const OTHER_SECRET = 'secondSecretOfAnna';
const FOREIGN_SECRET = 'secretOfBert';

const key = (id: number, name: string, stored: string, user: number) => ({
  id,
  name,
  key: stored,
  user_id: user,
  unlimited_quota: true,
});

const PASSED = ['asset-video', 'flat-video', 'nested-video', 'dedicated-video', 'download-video'] as const;

/** Tasks wait for 1 second and run for 4, unless a test changes that. */
export const VIDEO_SEED: Seed = {
  ...SEED,
  accounts: [
    { userId: 42, username: 'anna', accessToken: 'token-of-anna', quota: 100_000_000 },
    { userId: 43, username: 'bert', accessToken: 'token-of-bert', quota: 100_000_000 },
  ],
  models: {
    [EPSILON]: { price: PRICE },
    [DELTA]: { price: PRICE },
    ...Object.fromEntries(PASSED.map((family) => [`film-${family}`, { price: PRICE, family }])),
    'film-failing': { price: PRICE, family: 'epsilon-video', fails: { code: 4711, message: 'the set is on fire' } },
    'film-narrow-2-0': { price: PRICE, family: 'epsilon-video', task: { queueSeconds: 1, runSeconds: 10, slots: 1 } },
    'film-slow': { price: PRICE, family: 'epsilon-video', task: { queueSeconds: 1, runSeconds: 1_000_000 } },
  },
  keys: [key(1, 'first', SECRET, 42), key(2, 'second', OTHER_SECRET, 42), key(3, 'foreign', FOREIGN_SECRET, 43)],
};

export interface VideoGateway extends TestGateway {
  /** The key of the account that submits; another one of it; one of another account. */
  readonly credentials: { readonly own: string; readonly other: string; readonly foreign: string };
  submit(body: unknown, credential?: string): Promise<TestAnswer>;
  /** The id of a task that was accepted. */
  submitted(body: unknown): Promise<string>;
  query(id: string, credential?: string): Promise<TestAnswer>;
  download(id: string): Promise<TestAnswer>;
  /** The task as it is stored. */
  stored(id: string): Promise<Body>;
  /** Moves the gateway's clock to so many seconds after the start. */
  at(seconds: number): Promise<void>;
  /** Submits a task, lets all of its time pass and queries it. */
  finished(body: unknown): Promise<Body>;
}

export async function startVideoGateway(options: ReferenceOptions = {}): Promise<VideoGateway> {
  const gateway = await startTestGateway({ seed: VIDEO_SEED, now: () => START, ...options });
  const bearer = (credential = `sk-${SECRET}`) => ({ authorization: `Bearer ${credential}` });
  const submit: VideoGateway['submit'] = (body, credential) =>
    send(`${gateway.url}/v1/video/generations`, 'POST', body, bearer(credential));
  const query: VideoGateway['query'] = (id, credential) =>
    send(`${gateway.url}/v1/video/generations/${id}`, 'GET', undefined, bearer(credential));
  const submitted: VideoGateway['submitted'] = async (body) => {
    const answer = await submit(body);
    if (answer.status !== 200) throw new Error(`not submitted: ${answer.status} ${answer.text}`);
    return String(answer.json?.task_id);
  };
  return {
    ...gateway,
    credentials: { own: `sk-${SECRET}`, other: `sk-${OTHER_SECRET}`, foreign: `sk-${FOREIGN_SECRET}` },
    submit,
    submitted,
    query,
    download: (id) => send(`${gateway.url}/v1/video/generations/download?id=${id}`, 'GET', undefined, bearer()),
    async stored(id) {
      const { tasks } = await gateway.control('GET', '/tasks');
      const task = (tasks as Body[]).find(({ task_id }) => task_id === id);
      if (!task) throw new Error(`there is no task ${id}`);
      return task;
    },
    async at(seconds) {
      await gateway.control('POST', '/clock', { at: START + seconds });
    },
    async finished(body) {
      const id = await submitted(body);
      await gateway.control('POST', '/clock', { advance: 10 });
      return (await query(id)).json ?? {};
    },
  };
}

/** A request that the epsilon family accepts: text only, small and short. */
export const epsilon = (metadata: Body = {}, root: Body = {}): Body => ({
  model: EPSILON,
  prompt: 'a lighthouse in a storm',
  asset: false,
  ...root,
  metadata: {
    content: [{ type: 'text', text: 'a lighthouse in a storm' }],
    resolution: '480p',
    ratio: '16:9',
    duration: 4,
    ...metadata,
  },
});

export const delta = (metadata: Body = {}): Body => ({
  model: DELTA,
  prompt: 'a lighthouse in a storm',
  metadata: {
    content: [{ type: 'text', text: 'a lighthouse in a storm' }],
    resolution: '768P',
    ratio: '16:9',
    duration: 4,
    ...metadata,
  },
});

export const downloadable = (root: Body = {}): Body => ({
  model: 'film-download-video',
  prompt: 'a lighthouse in a storm',
  seconds: '4',
  size: '320x180',
  ...root,
});
