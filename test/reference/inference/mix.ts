import { request } from 'undici';

/** One kind of request of the mixed load. */
interface Kind {
  readonly path: string;
  readonly body: unknown;
}

/** Requests that cost the machine little. */
const COMMON: readonly Kind[] = [
  {
    path: '/v1/chat/completions',
    body: { model: 'chat-a', messages: [{ role: 'user', content: 'Write about rivers' }] },
  },
  {
    path: '/v1/chat/completions',
    body: { model: 'chat-a', stream: true, messages: [{ role: 'user', content: 'Write about rivers' }] },
  },
  { path: '/v1/embeddings', body: { model: 'text-embedding-3-small', input: ['one', 'two'], dimensions: 8 } },
  { path: '/v1/responses', body: { model: 'chat-a', input: 'Write about hills', stream: true } },
  { path: '/v1/models/eta-embedding-001:embedContent', body: { content: { parts: [{ text: 'three' }] } } },
  { path: '/v1/messages/count_tokens', body: { model: 'chat-a', messages: [{ role: 'user', content: 'four' }] } },
  { path: '/v1/responses', body: { model: 'failing', input: 'anything' } },
  {
    path: '/v1/video/generations',
    body: { model: 'film-a', prompt: 'a wave', seconds: '1', size: '64x64' },
  },
];

/** Pictures: each costs the machine as much as twenty of the others. */
const RARE: readonly Kind[] = [
  {
    path: '/v1/images/generations',
    body: {
      model: 'gamma-image-2.0',
      input: { messages: [{ role: 'user', content: [{ text: 'a hill' }] }] },
      parameters: { size: '512*512' },
    },
  },
  {
    path: '/v1/images/generations',
    body: { model: 'alpha-image-2', prompt: 'a river', size: '1024x640', stream: true, partial_images: 1 },
  },
];
const RARELY = 50;

/** The kind of the request with this number. */
export function kindOf(turn: number): Kind {
  const [kinds, at] = turn % RARELY === 0 ? [RARE, turn / RARELY] : [COMMON, Math.floor(turn / 2)];
  return kinds[at % kinds.length] as Kind;
}

/** The end of one request of the load: read completely, or aborted at some moment. */
export type Ending = 'whole' | 'immediately' | 'after the head';

export interface Outcome {
  /** Read to its end with status 200, and not free: it must be in the log. */
  readonly paid: boolean;
  readonly requestId: string | undefined;
}

const ID = /(?:chatcmpl-|resp_)([A-Za-z0-9]+)/;

/** Sends one request of the mix and ends it so. Never throws: the gateway may be gone. */
export async function sendOne(url: string, turn: { kind: Kind; key: string; ending: Ending }): Promise<Outcome> {
  const { kind, key, ending } = turn;
  const leaving = new AbortController();
  try {
    const asked = request(url + kind.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(kind.body),
      signal: leaving.signal,
    });
    // One turn of the loop: the request is on its way, the answer is not here yet.
    if (ending === 'immediately') setImmediate(() => leaving.abort());
    const answer = await asked;
    if (ending === 'after the head') leaving.abort();
    const text = await answer.body.text();
    return { paid: answer.statusCode === 200 && !kind.path.includes('count_tokens'), requestId: ID.exec(text)?.[1] };
  } catch {
    return { paid: false, requestId: undefined };
  }
}
