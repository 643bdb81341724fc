import { Fault, type Secret } from '../../domain/index.ts';
import { type HttpRequest, nameOf } from '../../http/index.ts';
import { credentialOf, INFERENCE_API, ModelsAnswer } from '../../wire/index.ts';
import { endpointUrl } from '../address.ts';
import { notJsonFault, refusedFault } from '../answer-fault.ts';
import { shownMessage } from '../shown-message.ts';
import { type Line, parsed } from './call.ts';
import { messageIn, tryParseJson } from './judge.ts';

/**
 * The models that an API key may use: all of the account's, when the key has no allowlist.
 *
 * @throws Fault `gateway.refused` when the key is not taken, `gateway.not-found` when there is no such listing.
 */
export async function askModels(line: Line, key: Secret): Promise<readonly string[]> {
  const request: HttpRequest = {
    method: 'GET',
    url: endpointUrl(line.base, INFERENCE_API.models.path),
    headers: {
      accept: 'application/json',
      'user-agent': 'keyplane',
      authorization: `Bearer ${credentialOf(key.reveal())}`,
    },
    retry: 'yes',
    effect: 'reads',
    pace: 'inference',
  };
  const answer = await line.http.send(request);
  if (answer.status === 404 || answer.status === 405) {
    throw new Fault('gateway.not-found', `${nameOf(request)}: this gateway does not list models there.`, {
      detail: { method: request.method, path: request.url.pathname, status: answer.status, sent: 'yes' },
    });
  }
  const body = tryParseJson(answer.text);
  if (answer.status >= 400) {
    const message = shownMessage(messageIn(body), [key, line.accessToken, ...line.otherSecrets]);
    throw refusedFault(request, answer, message);
  }
  if (body === undefined) throw notJsonFault(request, answer);
  const { data } = parsed(ModelsAnswer, body, { request, answer });
  return [...new Set(data.map(({ id }) => id))];
}
