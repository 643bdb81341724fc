import { type AttemptOfCheck, attemptId } from './attempt-id.ts';

/** The number in texts that are not sent yet: in estimates of costs, and in reports of checks that sent nothing. */
export const DRAFT_NUMBER = '000000';

/** A number of six digits that differs from that of nearly every other attempt. */
export const attemptNumber = (attempt: AttemptOfCheck): string =>
  String(100_000 + (Number.parseInt(attemptId(attempt).slice(0, 8), 16) % 900_000));

const markWith = (number: string): string => ` (check ${number})`;
const DRAFT_MARK = markWith(DRAFT_NUMBER);

/** A built-in text for which each attempt has a number of its own. Texts that a check declares are sent as they are. */
export const draftText = (text: string): string => `${text}${DRAFT_MARK}`;

function replaced(value: unknown, mark: string): unknown {
  if (typeof value === 'string')
    return value.endsWith(DRAFT_MARK) ? `${value.slice(0, -DRAFT_MARK.length)}${mark}` : value;
  if (Array.isArray(value)) return value.map((item) => replaced(item, mark));
  // Files are bytes, which are large.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, mark)]));
}

/** Gives the built-in texts of a request the number of the attempt: no cache knows an answer to them. */
export function freshRequest<Body>(body: Body, attempt: AttemptOfCheck): Body;
export function freshRequest(body: unknown, attempt: AttemptOfCheck): unknown {
  return replaced(body, markWith(attemptNumber(attempt)));
}
