import { setTimeout as wait } from 'node:timers/promises';
import { type Answer, refused } from '../server/answer.ts';
import type { Parking } from './request-gate.ts';
import type { ScriptedFault } from './scripts.ts';

/** What a fault makes of a request before anything was done for it. */
export type Early = { readonly answer: Answer } | 'cut' | undefined;

export interface Surroundings {
  readonly parking: Parking;
  /** Ends delays when the gateway closes. */
  readonly closing: AbortSignal;
}

const HTML = '<!DOCTYPE html>\n<html><head><title>Bad gateway</title></head><body><h1>Bad gateway</h1></body></html>\n';

/** Carries out the part of a fault that comes before the request is looked at. */
export async function beforeCommit(fault: ScriptedFault, { parking, closing }: Surroundings): Promise<Early> {
  switch (fault.kind) {
    case 'delay':
      await wait(fault.ms, undefined, { signal: closing }).catch(() => undefined);
      return undefined;
    case 'hold':
      await parking.park();
      return undefined;
    case 'status':
      return { answer: refused(fault.message ?? `status ${fault.code} as asked`, fault.code) };
    case 'empty-429':
      return { answer: empty429(fault.retryAfter) };
    case 'refuse':
      return { answer: refused(fault.message) };
    case 'html':
      return { answer: { status: fault.status, html: HTML } };
    case 'cut-before':
      return 'cut';
    case 'answer':
      return { answer: { status: fault.status, body: fault.body } };
    default:
      // The others strike while the request is served, or when its answer goes out.
      return undefined;
  }
}

const empty429 = (retryAfter: number | string | undefined): Answer => ({
  status: 429,
  ...(retryAfter === undefined ? {} : { headers: { 'retry-after': String(retryAfter) } }),
});
