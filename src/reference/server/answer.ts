/** One event of a stream, as it goes out. */
export interface StreamEvent {
  /** Whole, with its blank line at the end. */
  readonly text: string;
  /** After it the stream is complete: whoever bills does so before it is sent. */
  readonly final?: boolean;
}

/** What a handler answers: the whole of it, as data, so that faults can be laid over it before it is sent. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; absent: an empty body. */
  readonly body?: unknown;
  /** Sent instead of a body: what a proxy in front would say. */
  readonly html?: string;
  /** Sent instead of a body, as they are made. Whoever delivers starts it in any case, and returns it when the client leaves. */
  readonly events?: AsyncGenerator<StreamEvent>;
  /** Sent instead of a body, as it is. */
  readonly file?: { readonly mediaType: string; readonly bytes: Uint8Array };
  readonly headers?: Readonly<Record<string, string>>;
}

/** The envelope of success; without `data` when the contract promises none. */
export const successAnswer = (data?: unknown): Answer => ({
  status: 200,
  body: data === undefined ? { success: true, message: '' } : { success: true, message: '', data },
});

/** The envelope of failure: with HTTP 200, as the contract has it for everything but missing or foreign credentials. */
export const failureAnswer = (message: string, status = 200): Answer => ({ status, body: { success: false, message } });

/** The error shape outside the envelope. */
export const plainError = (status: number, error: { message: string; type: string; code?: string }): Answer => ({
  status,
  body: { error },
});
