import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPending, KEY_FIELDS } from '../../../../src/domain/index.ts';
import { type TerraformObject, type TerraformValue, UNKNOWN } from '../../../../src/terraform/codec/value.ts';
import { compareKey } from '../../../../src/terraform/keyplane/key/plan/compare.ts';
import { readKey } from '../../../../src/terraform/keyplane/key/read.ts';
import { KEY_SCHEMA } from '../../../../src/terraform/keyplane/key/schema.ts';
import { decodeField, encodeField } from '../../../../src/terraform/keyplane/key/values/codec.ts';
import { decodeKey } from '../../../../src/terraform/keyplane/key/values/fields.ts';
import { importedState } from '../../../../src/terraform/keyplane/key/values/state.ts';
import { validateConfig } from '../../../../src/terraform/provider/validate.ts';
import { MemoryStore } from '../../../contract/memory-store.ts';
import { account, desired, NOW } from '../../../properties/arbitrary.ts';
import { clientOver } from '../context.ts';

/** The configuration that engines write for a state: without the attributes that only the provider sets. */
const configOf = (state: TerraformObject): TerraformObject =>
  Object.fromEntries(
    Object.entries(state).map(([name, value]) => [
      name,
      KEY_SCHEMA.attributes[name]?.set === 'computed' ? null : value,
    ]),
  );

describe('a key in the words of Terraform', () => {
  it('is imported as configuration that is allowed and plans to nothing, whatever key it is', async () => {
    await fc.assert(
      fc.asyncProperty(account, fc.boolean(), async (keys, reportsUse) => {
        const store = new MemoryStore({ reportsUse, now: () => NOW });
        for (const { settings, status, used, extra } of keys) store.seed(settings, { status, used, extra });
        const client = clientOver(store);
        for (const key of await store.walk()) {
          const quotaPerUnit = await store.quotaPerUnit();
          const state = importedState({ key, quotaPerUnit, now: NOW });
          const diagnostics = validateConfig(KEY_SCHEMA, configOf(state)).filter(({ path }) => path?.[0] !== 'name');
          expect(diagnostics).toEqual([]);
          const { plan } = await compareKey(decodeKey(state, key.name), key, client);
          expect(plan.changes.filter(isPending)).toEqual([]);
          // And the next refresh finds it just so.
          const context = { client, signal: new AbortController().signal, warn: () => {} };
          expect((await readKey({ state }, context))?.state).toEqual(state);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('has a budget of each form, there and back', () => {
    fc.assert(
      fc.property(desired, ({ keys }) => {
        for (const { budget } of keys) {
          if (budget === undefined) continue;
          const value = encodeField(KEY_FIELDS.budget, budget);
          const decoded = decodeField(KEY_FIELDS.budget, value)?.value;
          expect(decoded && encodeField(KEY_FIELDS.budget, decoded)).toEqual(value);
        }
      }),
    );
  });

  const problems = (value: TerraformValue): readonly string[] =>
    (KEY_SCHEMA.attributes.budget?.check?.(value) ?? []).map(({ summary }) => summary);
  const budget = (given: TerraformObject): TerraformObject => ({
    unlimited: null,
    usd: null,
    quota: null,
    per: null,
    below: null,
    initial: null,
    ...given,
  });

  it.each<[TerraformObject, string, string]>([
    [{ usd: 0.0000001 }, '`budget.usd`: The amount is less than one quota unit', 'budget,usd'],
    [{ usd: 5, below: { usd: 0.0000001, quota: null } }, '`budget.below.usd`: The amount is less', 'budget,below,usd'],
    [{ quota: 500_000_000_000_001 }, '`quota`: The amount is too large', 'budget'],
    [{ usd: 1_000_000_001 }, '`usd`: The amount is too large', 'budget'],
  ])('is rejected at validation with the amount %j, which no gateway can store', (amount, summary, path) => {
    const config = { name: 'one', budget: budget(amount) };
    const errors = validateConfig(KEY_SCHEMA, config);
    expect(errors).toEqual([expect.objectContaining({ summary: expect.stringContaining(summary) })]);
    expect(errors[0]?.path?.join()).toBe(path);
  });

  it.each([{ usd: 5 }, { usd: 5, initial: false }, { quota: 5, unlimited: false }])(
    'is rejected as %j, of which Terraform may have dropped a misspelled part',
    (parts) => {
      expect(problems(budget(parts))).toEqual(['`per`: The budget does not state when it refills']);
    },
  );

  it.each(['per', 'below', 'initial', 'unlimited'])('is accepted while its `%s` is not known yet', (part) => {
    expect(problems(budget({ usd: 5, [part]: UNKNOWN }))).toEqual([]);
  });

  it('takes false for nothing, as modules pass it along', () => {
    expect(problems(budget({ usd: 5, per: 'lifetime', unlimited: false, initial: false }))).toEqual([]);
    expect(decodeField(KEY_FIELDS.budget, budget({ usd: 5, initial: false }))?.value).toMatchObject({
      kind: 'lifetime',
    });
  });

  it('accepts amounts that are not known yet', () => {
    expect(problems(budget({ usd: UNKNOWN, per: 'lifetime' }))).toEqual([]);
    expect(problems(budget({ quota: 5, below: { usd: null, quota: UNKNOWN } }))).toEqual([]);
  });

  it('has exact amounts within limits', () => {
    expect(problems(budget({ quota: 1.5 }))).toEqual(['`quota`: Quota units must be a whole number of 0 or more']);
    expect(problems(budget({ quota: 1e15 }))).toEqual(['`quota`: The amount is too large']);
    expect(problems(budget({ usd: 10_000_000_001 }))).toEqual(['`usd`: The amount is too large']);
    expect(problems(budget({ usd: 0.1, per: 'lifetime' }))).toEqual([]);
  });
});
