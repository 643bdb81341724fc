import { describe, expect, test } from 'vitest';
import { tryReadErrorBody } from '../../../src/wire/index.ts';

describe('an error body', () => {
  test.each([
    ['open', { error: { message: 'm', type: 't', code: 'c' } }, ['c', 't', 'm']],
    ['open, with a number', { error: { message: 'm', code: 7 } }, ['7', '', 'm']],
    ['typed', { type: 'error', error: { type: 't', message: 'm' } }, ['', 't', 'm']],
    ['flat and typed', { type: 'error', code: 'c', message: 'm' }, ['c', 'error', 'm']],
    ['a text', { error: 'm' }, ['', '', 'm']],
    ['the envelope', { success: false, message: 'm' }, ['', '', 'm']],
    ['coded', { code: 'task_not_exist', message: 'm', data: null }, ['task_not_exist', '', 'm']],
    ['without any word', { error: {} }, ['', '', '']],
    ['a number', { error: 1001 }, ['1001', '', '']],
    ['yes', { error: true }, ['', '', '']],
    ['a list', { error: [{ message: 'm', code: 'c' }] }, ['c', '', 'm']],
    ['a list of texts', { error: ['m', 'n'] }, ['', '', 'm']],
    ['next to an answer', { error: 'm', choices: [{}] }, ['', '', 'm']],
  ])('that is %s yields its fields', (_title, body, [code, type, message]) => {
    expect(tryReadErrorBody(body)).toEqual({ code, type, message });
  });

  test.each([
    [{ error: null, id: 'r' }],
    [{ error: false, id: 'r' }],
    [{ error: 0, id: 'r' }],
    [{ error: [], id: 'r' }],
    [{ success: true, message: 'm' }],
    [{ code: 'success', message: '', data: null }],
    [{ code: 'c', message: 'm', data: { task_id: 't' } }],
    [{ code: 0, message: 'ok' }],
    [{ type: 'message' }],
    [{ choices: [] }],
    [[]],
    ['error'],
    [null],
  ])('is not %j', (body) => {
    expect(tryReadErrorBody(body)).toBeUndefined();
  });
});
