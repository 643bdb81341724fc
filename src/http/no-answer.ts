import type { Sent } from './request.ts';

/** Why no whole answer came. */
export class NoAnswer extends Error {
  readonly sent: Sent;
  readonly why: 'network' | 'timeout' | 'too-large' | 'undecodable' | 'repeated' | 'aborted';

  constructor(why: NoAnswer['why'], sent: Sent, cause?: unknown) {
    super(why, { cause });
    this.why = why;
    this.sent = sent;
  }
}
