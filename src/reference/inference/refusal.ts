import type { RequestIssue } from '../../wire/index.ts';
import type { Site } from '../context.ts';
import type { UseRefusal } from '../keys/admission.ts';
import { REQUEST_ID_LENGTH, randomText } from '../random.ts';
import type { Answer } from '../server/answer.ts';
import { refusedUse } from './refused-use.ts';
import type { InferenceCall, RequestRefused } from './request.ts';

/** Token counting has an error shape of its own. Contract: “Errors”. */
function shaped(call: Pick<InferenceCall, 'endpoint'>, answer: Answer): Answer {
  if (call.endpoint !== 'countTokens') return answer;
  const { message } = (answer.body as { error: { message: string } }).error;
  return { ...answer, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
}

/** A use that key, wallet or model do not allow. */
export const refusedUseOf = (site: Site, call: Pick<InferenceCall, 'endpoint'>, refusal: UseRefusal): Answer =>
  shaped(call, refusedUse(site, refusal));

/** A request that can not be served as it is. */
export function refusedRequest(
  site: Site,
  call: Pick<InferenceCall, 'endpoint'>,
  { message, status, code }: Omit<RequestRefused, keyof Error> & { message: string },
): Answer {
  const error = site.profile.openError(message, code, randomText(site.random, REQUEST_ID_LENGTH));
  return shaped(call, { status, body: { error } });
}

/** A request that breaks limits of the contract: all of them are told. */
export function invalidRequest(
  site: Site,
  call: Pick<InferenceCall, 'endpoint'>,
  issues: readonly RequestIssue[],
): Answer {
  const message = issues.map(({ path, message: text }) => `${path === '' ? 'the body' : path}: ${text}`).join('; ');
  return refusedRequest(site, call, { status: 400, code: 'invalid_request', message });
}
