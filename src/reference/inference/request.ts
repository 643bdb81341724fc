import type { AnyFamily, InferenceEndpointName, Upload } from '../../wire/index.ts';
import type { Usage } from '../billing/price.ts';
import type { GatewayContext } from '../context.ts';
import type { ServingFailure } from '../failures/kinds.ts';
import type { StreamEvent } from '../server/answer.ts';

/** A form as it came: texts and files by the names of their fields, in their order. */
export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly { readonly field: string; readonly file: Upload }[];
}

/** A request to the inference and media API. */
export interface InferenceRequest {
  readonly endpoint: InferenceEndpointName;
  /** Of the path; empty where the path has none. */
  readonly model: string;
  readonly taskId: string;
  query(name: string): string;
  /** A JSON value; undefined: an empty body, or a form. */
  readonly body: unknown;
  readonly form: Form | undefined;
  readonly authorization: string;
  readonly address: string;
  /** Under which the client reached this gateway: `http://127.0.0.1:8787`. */
  readonly origin: string;
  /** Ends when the client has gone. */
  readonly signal: AbortSignal;
  /** What a scripted fault makes of it. */
  readonly failure: ServingFailure | undefined;
}

/** A request that was let in, understood and found in order. */
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

/** What serving a request came to. */
export type ServiceResult =
  | {
      readonly body: unknown;
      readonly usage: Usage;
      /** Done together with the settlement, or not at all. */
      readonly commit?: () => void;
    }
  | {
      readonly events: AsyncGenerator<StreamEvent>;
      /** So far: what has gone out when the client leaves is what it pays. */
      usage(): Usage;
    };

/** One kind of request that costs money. */
export interface Service<Body> {
  /** At most so much: it is held until the end. */
  estimate(request: AcceptedRequest<Body>): Usage;
  /** @throws RequestRefused for what only shows while it is being served. */
  serve(request: AcceptedRequest<Body>): Promise<ServiceResult>;
}

/** A refusal with a status of its own. */
export class RequestError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(message: string, { status = 400, code = 'invalid_request' }: { status?: number; code?: string } = {}) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** One server-sent event. Without a name it is a bare `data:` line, as most of these APIs have it. */
export const serverSentEvent = (data: unknown, more: { name?: string; final?: boolean } = {}): StreamEvent => ({
  text: `${more.name === undefined ? '' : `event: ${more.name}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
  ...(more.final === undefined ? {} : { final: more.final }),
});
