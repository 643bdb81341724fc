import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { watchAborts } from '../../src/http/on-abort.ts';

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

it('watches a signal with one listener, and with none once nobody waits', () => {
  const { signal } = new AbortController();
  const aborts = watchAborts();
  const ends = Array.from({ length: 50 }, () => aborts.onAbort(signal, () => undefined));
  expect(listenersOf(signal)).toBe(1);
  for (const end of ends) end();
  expect(listenersOf(signal)).toBe(0);
  aborts.onAbort(signal, () => undefined);
  expect(listenersOf(signal)).toBe(1);
});

it('calls everyone who still waits, also when one of them ends the wait of another', () => {
  const abort = new AbortController();
  const aborts = watchAborts();
  const called: string[] = [];
  const endA = aborts.onAbort(abort.signal, () => called.push('a'));
  aborts.onAbort(abort.signal, () => {
    called.push('b');
    endC();
  });
  const endC = aborts.onAbort(abort.signal, () => called.push('c'));
  endA();
  abort.abort();
  expect(called).toEqual(['b']);
  expect(listenersOf(abort.signal)).toBe(0);
});

it('calls nothing for a signal that has aborted, and takes none', () => {
  const aborts = watchAborts();
  for (const signal of [AbortSignal.abort(), undefined]) {
    aborts.onAbort(signal, () => expect.unreachable())();
  }
});
