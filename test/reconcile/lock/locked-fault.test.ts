import { expect, it } from 'vitest';
import { holderText, lockedFault } from '../../../src/reconcile/index.ts';

const ACCOUNT = { url: 'https://gateway.example.com', userId: 7 };
const HOLDER = { process: 12, host: 'runner\n1', since: 1_800_000_000 };

it('a lock that is held names its holder on one line, with its job where there is one', () => {
  expect(holderText(HOLDER)).toMatch(/^process 12 on runner\S+1, since 2027-01-15T08:00:00Z$/);
  expect(holderText({ ...HOLDER, run: 'https://ci.example.com/9' })).toMatch(
    /^process 12 on runner\S+1, https:\/\/ci\.example\.com\/9, since 2027-01-15T08:00:00Z$/,
  );
});

it('a lock that is held is a fault with its holder, if one is known', () => {
  const { message, hint, remedy, detail } = lockedFault(ACCOUNT, HOLDER);
  expect({ message, hint, remedy, detail }).toEqual({
    message: `Another Keyplane run is changing the keys of user 7 of https://gateway.example.com (${holderText(HOLDER)}).`,
    hint: 'Wait until it finishes. The lock of a run that no longer exists ends by itself after a few minutes.',
    remedy: 'inspect-locks',
    detail: { holder: HOLDER },
  });
  const unknown = lockedFault(ACCOUNT, undefined);
  expect(unknown.message).toBe('Another Keyplane run is changing the keys of user 7 of https://gateway.example.com.');
  expect(unknown.detail).toEqual({});
});
