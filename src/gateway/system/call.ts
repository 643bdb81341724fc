import type { z } from 'zod';
import { Fault, type KeyId, type Secret } from '../../domain/index.ts';
import type { Answer, Http, HttpRequest } from '../../http/index.ts';
import { type Endpoint, type EndpointName, renderJson, SYSTEM_API, USER_ID_HEADER } from '../../wire/index.ts';
import { besideAddress, endpointUrl } from '../address.ts';
import { credentialsFault, notFoundFault, unexpectedShapeFault } from '../answer-fault.ts';
import { judge, type Verdict } from './judge.ts';

/** Where to call, and as whom. */
export interface Line {
  readonly http: Http;
  readonly base: URL;
  readonly userId: number;
  readonly accessToken: Secret;
  /** Also blanked in messages of the gateway. */
  readonly otherSecrets: readonly Secret[];
}

export interface CallInput {
  readonly id?: KeyId;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Calls one endpoint and gives what its schema makes of `data`. */
export type Call = <T>(name: EndpointName, schema: z.ZodType<T>, input?: CallInput) => Promise<T>;

/**
 * A caller of the System API.
 *
 * A refusal within the envelope can mean anything, an unknown access token too, and its message is not to be trusted.
 * So it is found out: when the self-read, which can be refused for one reason only, is refused as well, it is the
 * credentials. Contract: “Authentication”, rule 2.
 */
export function openLine(line: Line): Call {
  let asking: Promise<Fault | undefined> | undefined;
  const credentialsProblem = () => {
    asking ??= askSelf(line).finally(() => {
      asking = undefined;
    });
    return asking;
  };
  const call: Call = async (name, schema, input = {}) => {
    const { verdict, request, answer } = await once(line, name, input);
    if (verdict.kind === 'data') return parsed(schema, verdict.data, { request, answer });
    if (answer.afterLoss) throw answer.afterLoss;
    if (verdict.kind !== 'refused' || !SYSTEM_API[name].credentials) throw verdict.fault;
    if (name === 'self') throw asCredentials(request, answer, verdict.fault);
    const problem = await credentialsProblem();
    if (problem) throw problem;
    if (name === 'readKey' && (await isGone(line, input, answer))) throw notFoundFault(request, answer);
    throw verdict.fault;
  };
  return (name, schema, input) =>
    call(name, schema, input).catch((thrown: unknown) => {
      throw thrown instanceof Fault ? besideAddress(thrown, line.base) : thrown;
    });
}

async function once(line: Line, name: EndpointName, input: CallInput) {
  const request = requestFor(line, SYSTEM_API[name], input);
  const answer = await line.http.send(request);
  const verdict: Verdict = judge(request, answer, [line.accessToken, ...line.otherSecrets]);
  return { request, answer, verdict };
}

function requestFor(line: Line, endpoint: Endpoint, { id, query, body }: CallInput): HttpRequest {
  const { method, retry, effect, pace } = endpoint;
  const credentials = {
    authorization: `Bearer ${line.accessToken.reveal()}`,
    [USER_ID_HEADER]: String(line.userId),
  };
  return {
    method,
    url: endpointUrl(line.base, endpoint.path.replace('{id}', String(id)), query),
    headers: {
      accept: 'application/json',
      'user-agent': 'keyplane',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(endpoint.credentials ? credentials : {}),
    },
    ...(body === undefined ? {} : { body: renderJson(body) }),
    retry,
    effect,
    pace,
  };
}

/** The fault when the gateway refuses the credentials; undefined when it takes them, or can not be asked. */
async function askSelf(line: Line): Promise<Fault | undefined> {
  try {
    const { verdict, request, answer } = await once(line, 'self', {});
    if (verdict.kind === 'credentials') return verdict.fault;
    return verdict.kind === 'refused' ? asCredentials(request, answer, verdict.fault) : undefined;
  } catch {
    // The refusal that led here is the better thing to report.
    return undefined;
  }
}

/** Where there is no such endpoint, nobody looked at the credentials. */
const asCredentials = (request: HttpRequest, answer: Answer, refusal: Fault): Fault =>
  answer.status === 404 || answer.status === 405
    ? refusal
    : credentialsFault(request, answer, String(refusal.detail.message ?? ''));

/**
 * Is a key whose read was refused really gone? The contract does not show that answer. 404 says it; a refusal within
 * the envelope is asked again, because a gateway in trouble refuses like that too, and “gone” lets a key be made anew.
 */
async function isGone(line: Line, input: CallInput, answer: Answer): Promise<boolean> {
  if (answer.status === 404 || answer.status === 410) return true;
  const again = await once(line, 'readKey', input);
  return again.verdict.kind === 'refused';
}

/** @throws Fault `gateway.unexpected-shape` */
export function parsed<T>(schema: z.ZodType<T>, data: unknown, at: { request: HttpRequest; answer: Answer }): T {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  throw unexpectedShapeFault(at.request, at.answer, result.error);
}
