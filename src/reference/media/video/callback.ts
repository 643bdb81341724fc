import type { FamilyId } from '../../../wire/index.ts';
import { propertiesOf } from '../../json-object.ts';
import type { TaskStatus } from '../../ledger/tasks.ts';

/** Contract, family delta: the challenge must be returned within 3 seconds. Notifications get the same time. */
const TIMEOUT_MS = 3000;
/** The limit of a reply: a challenge is one line. */
const MAX_REPLY = 64 * 1024;

/** Contract: “Events”. Families whose fields are not shown notify as epsilon does. */
const DELTA_NAMES: { readonly [S in TaskStatus]: string } = {
  queued: 'queued',
  in_progress: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  // Tasks of this family cannot expire; there would be no better name.
  expired: 'failed',
};
const EPSILON_NAMES: { readonly [S in TaskStatus]: string } = {
  ...DELTA_NAMES,
  cancelled: 'failed',
  expired: 'expired',
};

/** The name of a status in the notifications of a family. */
export const notificationStatus = (family: FamilyId, status: TaskStatus): string =>
  (family === 'delta-video' ? DELTA_NAMES : EPSILON_NAMES)[status];

/** Returns undefined for a usable URL. */
function addressProblem(url: string): string | undefined {
  if (!URL.canParse(url)) return 'the callback URL is not a URL';
  const { protocol, username, password } = new URL(url);
  if (!/^https?:$/.test(protocol)) return 'the callback URL is neither http nor https';
  return username !== '' || password !== '' ? 'the callback URL holds credentials' : undefined;
}

async function textOf(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > MAX_REPLY) throw new Error('the reply is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The text of a successful reply, or the reason why there is none. */
type PostResult = { readonly text: string } | { readonly problem: string };

/** Posts JSON to a receiver. Follows no redirects, sends no credentials, never throws. */
async function post(url: string, body: unknown, closing: AbortSignal): Promise<PostResult> {
  const problem = addressProblem(url);
  if (problem !== undefined) return { problem };
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const answer = await fetch(url, {
      redirect: 'manual',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.any([timeout, closing]),
    });
    const text = await textOf(answer.body);
    if (!answer.ok) return { problem: `answered ${answer.status}` };
    return { text };
  } catch (thrown) {
    if (timeout.aborted) return { problem: `no answer within ${TIMEOUT_MS / 1000} s` };
    // The cause of “fetch failed” names the reason.
    const cause = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
    return { problem: cause instanceof Error ? cause.message || cause.name : String(cause) };
  }
}

/** Sends a notification. Returns the problem, or undefined if it was delivered. */
export async function notify(url: string, record: unknown, closing: AbortSignal): Promise<string | undefined> {
  const reply = await post(url, record, closing);
  return 'problem' in reply ? reply.problem : undefined;
}

const challengeIn = (text: string): unknown => {
  try {
    return propertiesOf(JSON.parse(text)).challenge;
  } catch {
    return undefined;
  }
};

/** Asks a receiver to return the challenge unchanged, as JSON or as text. Returns the problem, or undefined. */
export async function challenge(url: string, secret: string, closing: AbortSignal): Promise<string | undefined> {
  const reply = await post(url, { challenge: secret }, closing);
  if ('problem' in reply) return reply.problem;
  return reply.text.trim() === secret || challengeIn(reply.text) === secret
    ? undefined
    : 'did not return the challenge';
}
