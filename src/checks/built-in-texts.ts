import { type AttemptOfCheck, attemptId } from './attempt-id.ts';

type TextWith = (number: string) => string;

/** The texts of requests whose checks declare none. Each attempt has a number of its own: no cache knows an answer to them. */
const TEXTS = {
  question: (number) => `Reply with exactly: keyplane is ready ${number}`,
  sentence: (number) => `The harbour lies still in the morning. (check ${number})`,
  otherSentence: (number) => `Invoices are due within thirty days. (check ${number})`,
  picture: (number) =>
    `A red lighthouse on a green island, a small white boat before it, clear colours. (check ${number})`,
  pictureEdit: (number) => `Make the background dark blue and add a yellow star above the shapes. (check ${number})`,
} as const satisfies Readonly<Record<string, TextWith>>;

/** The number of texts that are not sent yet: in estimates of costs, and in reports of checks that sent nothing. */
const DRAFT_NUMBER = '000000';

const DRAFTS: ReadonlyMap<string, TextWith> = new Map(Object.values(TEXTS).map((text) => [text(DRAFT_NUMBER), text]));

/** A built-in text that {@link freshRequest} gives its number. */
export const draftText = (name: keyof typeof TEXTS): string => TEXTS[name](DRAFT_NUMBER);

/** A number of six digits that differs from that of nearly every other attempt. */
export const attemptNumber = (attempt: AttemptOfCheck): string =>
  String(100_000 + (Number.parseInt(attemptId(attempt).slice(0, 8), 16) % 900_000));

/** Gives the built-in texts of a request the number of the attempt. Texts that a check declares stay as they are. */
export function freshRequest<Body>(body: Body, number: string): Body;
export function freshRequest(body: unknown, number: string): unknown {
  if (typeof body === 'string') return DRAFTS.get(body)?.(number) ?? body;
  if (Array.isArray(body)) return body.map((item) => freshRequest(item, number));
  // Files are bytes, which are large.
  if (typeof body !== 'object' || body === null || ArrayBuffer.isView(body)) return body;
  return Object.fromEntries(Object.entries(body).map(([name, member]) => [name, freshRequest(member, number)]));
}
