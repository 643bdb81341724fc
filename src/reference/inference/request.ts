import type { AnyFamily, InferenceEndpointName, Upload } from '../../wire/index.ts';
import type { Usage } from '../billing/price.ts';
import type { GatewayContext } from '../context.ts';
import type { ServingFailure } from '../failures/kinds.ts';
import type { JsonObject } from '../json-object.ts';
import type { StreamEvent } from '../server/answer.ts';
import type { TranslatedRequest } from './translated/format.ts';

/** A received form: texts and files by field name, in their order. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly { readonly field: string; readonly file: Upload }[];
}

/** A request to the inference and media API. */
export interface InferenceRequest {
  readonly endpoint: InferenceEndpointName;
  /** From the path; empty if the path has none. */
  readonly model: string;
  readonly taskId: string;
  query(name: string): string;
  /** A JSON value; undefined for an empty body or a form. */
  readonly body: unknown;
  readonly form: Form | undefined;
  readonly authorization: string;
  readonly address: string;
  /** The origin at which the client reached this gateway: `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** Returns a signal that aborts when the client disconnects. */
  disconnectSignal(): AbortSignal;
  /** The injected failure of this request. */
  readonly failure: ServingFailure | undefined;
  /** The format from which the body was translated into this endpoint’s, if it was. */
  readonly translated?: TranslatedRequest | undefined;
}

/** The part of a request that decides how a refusal is worded. */
export type RefusedRequest = Pick<InferenceRequest, 'endpoint' | 'translated'>;

/** A request that was authorized and validated. */
export interface AcceptedRequest<Body> {
  readonly context: GatewayContext;
  readonly incoming: InferenceRequest;
  readonly requestId: string;
  readonly family: AnyFamily;
  readonly model: string;
  readonly body: Body;
  readonly userId: number;
  readonly keyId: number;
}

/** The result of serving a request. */
export type ServiceResult =
  | {
      readonly body: unknown;
      readonly usage: Usage;
      /** Runs in the same transaction as the settlement. */
      readonly commit?: () => void;
    }
  | {
      readonly events: AsyncGenerator<StreamEvent>;
      /** The usage so far, which a client that disconnects pays for. */
      usage(): Usage;
    };

/** Serves one kind of request that costs money. */
export interface Service<Body> {
  /** Returns the most that the request may use, which is held until its end. */
  estimate(request: AcceptedRequest<Body>): Usage;
  /** @throws RequestError for problems that only show while the request is served. */
  serve(request: AcceptedRequest<Body>): Promise<ServiceResult>;
}

/** A refusal with a status and a code. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;
  /** The error of an upstream, where it is passed on. */
  readonly theirs: JsonObject | undefined;

  constructor(
    message: string,
    { status = 400, code = 'invalid_request', theirs }: { status?: number; code?: string; theirs?: JsonObject } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.theirs = theirs;
  }
}

/** Renders a server-sent event. Without a name it is a bare `data:` line, as in most of these APIs. */
export const serverSentEvent = (data: unknown, more: { name?: string; final?: boolean } = {}): StreamEvent => ({
  text: `${more.name === undefined ? '' : `event: ${more.name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  ...(more.final === undefined ? {} : { final: more.final }),
});
