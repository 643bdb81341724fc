import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key } from './changes.ts';
import { openStack, skipWithoutTerraform } from './stack.ts';

interface ValidationError {
  readonly summary: string;
  readonly detail: string;
  readonly snippet: { readonly code: string };
}

const UNSTATED = '`per`: The budget does not state when it refills';

/** Configured budgets, and the error that terraform shows at each. */
const BUDGETS: readonly (readonly [budget: string, error: string])[] = [
  ['{ usd = 5, perr = "month" }', UNSTATED],
  ['{ usd = 5, belo = { usd = 1 } }', UNSTATED],
  ['{ usd = 5, intial = true }', UNSTATED],
  ['{ usd = 5 }', UNSTATED],
  ['{ usd = 5, initial = false }', UNSTATED],
  ['{ usd = 5, per = null }', UNSTATED],
  ['{ usdd = 5, per = "month" }', 'The amount is missing'],
  ['{ quotta = 5, per = "month" }', 'The amount is missing'],
  ['{ unlimitd = true }', 'The amount is missing'],
  ['{ usd = 5, below = { udd = 1 } }', '`below`: The amount is missing'],
];

describe('misspelled names within an attribute, which terraform drops', () => {
  let place: Place;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([]);
  });
  afterEach(() => place?.close());

  it('leave out a part of the budget that is required', async () => {
    const bodies = BUDGETS.map(([budget], index) => key(`k${index}`, `budget = ${budget}`));
    const stack = await openStack(place, bodies.join(''));
    const { stdout } = await stack.run('validate', '-json');
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly ValidationError[] };
    const found = diagnostics.map(({ summary, snippet }) => [/\{.*\}/.exec(snippet.code)?.[0] ?? '', summary]);
    expect(found.sort()).toEqual([...BUDGETS].sort());
    for (const { detail } of diagnostics) {
      expect(detail).toContain(
        'Terraform drops other names than `unlimited`, `usd`, `quota`, `per`, `below`, `initial`',
      );
    }
  });

  const check = (expected: string) =>
    `data "keyplane_check" "one" {\n  key_id = 1\n  module = "chat"\n  expect {\n    ${expected}\n  }\n}\n`;

  it('are errors in the blocks of a check and of timeouts, also next to correct ones', async () => {
    const stack = await openStack(
      place,
      check('contains = ["pong"]\n    max_latenzy_ms = 5000') + key('one', 'timeouts {\n    raed = "5m"\n  }'),
    );
    const { code, stderr } = await stack.run('validate');
    expect([code, stderr.match(/An argument named .*/g)]).toEqual([
      1,
      [
        'An argument named "max_latenzy_ms" is not expected here. Did you mean',
        'An argument named "raed" is not expected here. Did you mean "read"?',
      ],
    ]);
  });

  it('leave no check without an assertion', async () => {
    const stack = await openStack(place, check(''));
    const { code, stderr } = await stack.run('validate');
    expect([code, stderr]).toEqual([1, expect.stringContaining('`expect` has no assertion')]);
    await stack.configure(check('contains = ["pong"]'));
    expect((await stack.run('validate')).code).toBe(0);
  });

  it('names the line of an invalid assertion in its block', async () => {
    const stack = await openStack(place, check('contains = ["pong"]\n    matches = "("'));
    const { code, stderr } = await stack.run('validate');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\d+: +matches = "\("/)]);
  });

  it('are rejected in a variable too, which only the plan knows', async () => {
    const variable = 'variable "limit" {\n  type = any\n  default = { usd = 5, perr = "month" }\n}\n';
    const stack = await openStack(place, variable + key('one', 'budget = var.limit'));
    const { code, stderr } = await stack.run('plan');
    expect([code, stderr]).toEqual([1, expect.stringContaining(UNSTATED)]);
    await stack.configure(key('one', 'budget = { usd = 5, per = "lifetime" }'));
    await expectApplied(stack);
    await expectSettled(stack);
  });
});
