import { Fault } from '../../domain/index.ts';
import { readRequestMedia } from '../../media/index.ts';
import {
  type AlphaEditRequest,
  type AnyFamily,
  MEGABYTE,
  type RequestIssue,
  renderJson,
  requestIssues,
} from '../../wire/index.ts';
import { type RenderedBody, renderForm } from '../media/form.ts';

/** A request, as it is given. */
export interface Given {
  readonly family: AnyFamily;
  readonly body: unknown;
  /** Where it stands in the path. */
  readonly model?: string | undefined;
}

const renderIssue = ({ path, message }: RequestIssue): string => `${path === '' ? 'the body' : path}: ${message}`;

/** What may not be sent, with all that is wrong with it. */
export function invalidFault(title: string, issues: readonly RequestIssue[]): Fault {
  const [only, ...others] = issues.map(renderIssue);
  const list = others.length === 0 ? ` ${only}.` : `\n${issues.map((issue) => `  ${renderIssue(issue)}`).join('\n')}`;
  return new Fault('request.invalid', `${title}: the request breaks limits of the contract:${list}`, {
    hint: 'Nothing was sent, and nothing was charged. The limits are in docs/reference/limits.md.',
    detail: { issues },
  });
}

/** Files are looked at only in a body whose shape is known. */
async function issuesOf({ family, body, model }: Given): Promise<readonly RequestIssue[]> {
  const shaped = family.body.safeParse(body).success;
  const files = shaped ? { knownOf: await readRequestMedia(family, body) } : {};
  return requestIssues(family, body, { model, ...files });
}

function rendered({ family, body }: Given): RenderedBody {
  if (family.form === 'multipart') return renderForm(body as AlphaEditRequest);
  const text = renderJson(body);
  return { contentType: 'application/json', body: text, bytes: Buffer.byteLength(text) };
}

/**
 * The body as it goes out, once nothing in it breaks a limit of the contract.
 * @throws Fault `request.invalid`, its detail has `issues`.
 */
export async function sendable(given: Given): Promise<RenderedBody> {
  const { family, model } = given;
  const named = model === undefined || model.trim() !== '' ? [] : [{ path: 'model', message: 'is empty' }];
  const issues = [...named, ...(await issuesOf(given))];
  if (issues.length > 0) throw invalidFault(family.title, issues);
  const body = rendered(given);
  if (body.bytes <= (family.maxBytes ?? Number.POSITIVE_INFINITY)) return body;
  const message = `has ${body.bytes} bytes, and may have at most ${(family.maxBytes ?? 0) / MEGABYTE} MB`;
  throw invalidFault(family.title, [{ path: '', message }]);
}
