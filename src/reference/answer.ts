/** What a handler answers: the whole of it, as data, so that faults can be laid over it before it is sent. */
export interface Answer {
  readonly status: number;
  /** Sent as JSON; absent: an empty body. */
  readonly body?: unknown;
  /** Sent instead of a body: what a proxy in front would say. */
  readonly html?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The envelope of success; without `data` when the contract promises none. */
export const done = (data?: unknown): Answer => ({
  status: 200,
  body: data === undefined ? { success: true, message: '' } : { success: true, message: '', data },
});

/** The envelope of failure: with HTTP 200, as the contract has it for everything but missing or foreign credentials. */
export const refused = (message: string, status = 200): Answer => ({ status, body: { success: false, message } });

/** The error shape outside the envelope. */
export const openError = (status: number, error: { message: string; type: string; code?: string }): Answer => ({
  status,
  body: { error },
});
