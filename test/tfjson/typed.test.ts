import { expect, test } from 'vitest';
import { from, messagesOf, readKey } from './synthesized.ts';

const withCheck = (costly: unknown) =>
  readKey(
    {},
    {
      data: {
        keyplane_check: { a: from('prod/a', { key_id: '${keyplane_api_key.app.id}', module: 'chat', costly }) },
      },
    },
  );

test.each([
  ['1', 'costly'],
  ['${"true"}', 'costly'],
  ['0', undefined],
])('a check whose `costly` is %j has the schedule %s', async (costly, schedule) => {
  expect((await withCheck(costly)).manifest?.checks.map((check) => check.schedule)).toEqual([schedule]);
});

test('a check whose `costly` is not a bool is refused', async () => {
  expect(messagesOf(await withCheck('yes'))).toEqual(['manifest.wrong-type prod/a: Invalid value for `costly`.']);
});
