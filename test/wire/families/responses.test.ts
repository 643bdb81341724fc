import { describe, expect, it } from 'vitest';
import { RESPONSES, ResponsesRequest } from '../../../src/wire/index.ts';
import { describeRows } from './rows.ts';

const row = { family: RESPONSES, base: { model: 'alpha-chat-1', input: 'hi' } };
const accepted = (field: string, values: readonly string[]) =>
  values.map((value) => ({ [field]: value })) as [Record<string, string>];

describeRows('Responses-style request', [
  {
    title: '`model`: string',
    ...row,
    accepts: [{ model: 'm' }],
    refuses: [
      [{ model: undefined }, 'model'],
      [{ model: '' }, 'model'],
    ],
  },
  {
    title: '`input`: string, or items as in the OpenAI API',
    ...row,
    accepts: [{ input: '' }, { input: [{ role: 'user', content: 'hi' }] }],
    refuses: [
      [{ input: undefined }, 'input'],
      [{ input: 1 }, 'input'],
      [{ input: [{}, 'hi'] }, 'input[1]'],
    ],
  },
  {
    title: '`reasoning.mode`: `standard` or `pro`',
    ...row,
    accepts: accepted('reasoning.mode', ['standard', 'pro']),
    refuses: [
      [{ 'reasoning.mode': 'fast' }, 'reasoning.mode'],
      [{ reasoning: 'pro' }, 'reasoning'],
    ],
  },
  {
    title: '`reasoning.effort`: `none`, `low`, `medium`, `high`, `xhigh`, `max`',
    ...row,
    accepts: accepted('reasoning.effort', ['none', 'low', 'medium', 'high', 'xhigh', 'max']),
    refuses: [
      [{ 'reasoning.effort': 'minimal' }, 'reasoning.effort'],
      [{ 'reasoning.effort': 3 }, 'reasoning.effort'],
    ],
  },
  {
    title: '`stream`: boolean',
    ...row,
    accepts: [{ stream: true }],
    refuses: [[{ stream: 1 }, 'stream']],
  },
]);

describe('a responses-style request that omits it', () => {
  it('reasons in the standard mode', () => {
    expect(ResponsesRequest.parse({ ...row.base, reasoning: {} }).reasoning?.mode).toBe('standard');
  });
});
