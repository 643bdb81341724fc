import { expect, test } from 'vitest';
import { openRecorder } from '../../../src/checks/run/check-recorder.ts';

const isTaken = (asked: string, named: string): boolean => {
  const { recorder, record } = openRecorder(asked, String);
  recorder.answeredBy(named);
  return record.findings.every(({ holds }) => holds);
};

test.each([
  ['alpha-chat-1', 'alpha-chat-1'],
  ['alpha-chat-1', 'Alpha-Chat-1'],
  ['alpha-chat-1', 'alpha-chat-1-2026-05-01'],
  ['alpha-chat-1', 'alpha-chat-1-20260501'],
  ['alpha-chat-1', 'alpha-chat-1@20260501'],
  ['alpha-chat-1', 'alpha-chat-1-0613'],
  ['alpha-chat-1', 'alpha-chat-1-001'],
  ['alpha-chat-1', 'vendor/alpha-chat-1'],
  ['vendor/alpha-chat-1', 'alpha-chat-1'],
  ['alpha-chat-latest', 'alpha-chat-20260501'],
])('an answer to %s may come from %s', (asked, named) => {
  expect(isTaken(asked, named)).toBe(true);
});

test.each([
  ['alpha-chat-1', 'alpha-chat-10'],
  ['alpha-chat-1', 'alpha-chat-2'],
  ['alpha-chat', 'alpha-chat-2'],
  ['alpha-chat-1', 'alpha-chat-1-lite'],
  ['alpha-chat-1', 'alpha-chat-1-lite2'],
  ['alpha-chat-1', 'alpha-chat'],
  ['alpha-chat-latest', 'beta-chat-20260501'],
])('an answer to %s that comes from %s is another model’s', (asked, named) => {
  expect(isTaken(asked, named)).toBe(false);
});
