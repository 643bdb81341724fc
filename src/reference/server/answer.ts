/** One event of a stream. */
export interface StreamEvent {
  /** The whole event, with its blank line at the end. */
  readonly text: string;
  /** The stream is complete after this event, so it must be billed before. */
  readonly final?: boolean;
}

/** The whole answer of a handler as data, so that injected failures can change it before it is sent. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON. Omitted for an empty body. */
  readonly body?: unknown;
  /** Sent instead of a body, as by a proxy in front of the gateway. */
  readonly html?: string;
  /** Sent instead of a body, one by one. Delivery always starts the generator, and returns it on a disconnect. */
  readonly events?: AsyncGenerator<StreamEvent>;
  /** Sent instead of a body, unchanged. */
  readonly file?: { readonly mediaType: string; readonly bytes: Uint8Array };
  readonly headers?: Readonly<Record<string, string>>;
}

/** The envelope of success, without `data` if the contract promises none. */
export const successAnswer = (data?: unknown): Answer => ({
  status: 200,
  body: data === undefined ? { success: true, message: '' } : { success: true, message: '', data },
});

/** The envelope of failure, with HTTP 200. In the contract only missing or foreign credentials have another status. */
export const failureAnswer = (message: string, status = 200): Answer => ({ status, body: { success: false, message } });

/** The error shape outside the envelope. */
export const plainError = (
  status: number,
  error: { message: string; type: string; code?: string; param?: string },
): Answer => ({
  status,
  body: { error },
});
