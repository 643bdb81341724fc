import { afterEach } from 'vitest';
import { Fault } from '../../src/domain/index.ts';
import { type Http, type HttpOptions, type HttpRequest, openHttp } from '../../src/http/index.ts';
import { virtualClock } from './virtual-clock.ts';

const opened: Http[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((http) => http.close()));
});

/** A client that waits in no time and always draws 1; closed after the test. */
export function client(options: HttpOptions = {}): Http {
  const http = openHttp({ clock: virtualClock(), random: () => 1, ...options });
  opened.push(http);
  return http;
}

export const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url: new URL(url),
  headers: { authorization: 'Bearer canary-access-token' },
  retry: 'yes',
  effect: 'reads',
  pace: 'api',
  ...more,
});

export const post = (url: string, more: Partial<HttpRequest> = {}): HttpRequest =>
  get(url, { method: 'POST', body: '{"name":"a"}', retry: 'no', effect: 'writes', ...more });

/** The fault that a promise rejects with. Fails when it does not, or with another thing. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  const outcome = await promise.then(
    () => 'no fault',
    (thrown: unknown) => thrown,
  );
  if (outcome instanceof Fault) return outcome;
  throw new Error(`expected a Fault, got ${String(outcome)}`);
}
