import { expect, test } from 'vitest';
import * as z from 'zod';
import { unexpectedShapeFault } from '../../src/gateway/response-fault.ts';
import { get } from '../http/client.ts';

test('the place of a wrong shape repeats names of fields and positions, and no other member name', () => {
  const schema = z.object({ items: z.array(z.record(z.string(), z.number())) });
  const problem = schema.safeParse({ items: [{ fine: 1, 'sk-canary': 'canary' }] });
  if (problem.success) throw new Error('the shape is wrong');
  const answer = { status: 200, mediaType: 'application/json', text: 'canary', timing: { firstByteMs: 0, totalMs: 0 } };
  const fault = unexpectedShapeFault(get('http://127.0.0.1/x'), answer, problem.error);
  expect(fault.detail.issue).toBe('items.0.…: Invalid input: expected number, received string');
  expect(fault.message).not.toContain('canary');
});
