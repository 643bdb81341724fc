import { Construct } from 'constructs';
import type * as forCdktf from 'keyplane/constructs/cdktf';
import type * as forCdktn from 'keyplane/constructs/cdktn';
import { describe, expectTypeOf, it } from 'vitest';

/*
 * What must not compile does not: each line below that is expected to be an error is one, or the compiler itself fails
 * (`npm run check` compiles the tests). Nothing here runs.
 */
type Keys = typeof forCdktf;
const scope = {} as Construct;

const refusedForCdktf = ({ ApiKey, KeySet, RotatingKey, SmokeCheck, TeamKeys }: Keys) => {
  const key = new ApiKey(scope, 'Key', { name: 'a' });
  new ApiKey(scope, 'Key', { name: 'a', budget: { usd: 25, per: '7d' }, expires: new Date(), models: ['m'] as const });
  // @ts-expect-error a key has a name
  new ApiKey(scope, 'Key', {});
  // @ts-expect-error names are text
  new ApiKey(scope, 'Key', { name: 7 });
  // @ts-expect-error it is called allowIps
  new ApiKey(scope, 'Key', { name: 'a', allowIPs: ['10.0.0.0/8'] });
  // @ts-expect-error one model is a list of one
  new ApiKey(scope, 'Key', { name: 'a', models: 'alpha-chat-1' });
  // @ts-expect-error an expiry is not a number
  new ApiKey(scope, 'Key', { name: 'a', expires: 1_900_000_000 });
  // @ts-expect-error a budget is an amount
  new ApiKey(scope, 'Key', { name: 'a', budget: 25 });
  // @ts-expect-error an amount has one unit
  new ApiKey(scope, 'Key', { name: 'a', budget: { usd: 25, quota: 5 } });
  // @ts-expect-error a form needs an amount
  new ApiKey(scope, 'Key', { name: 'a', budget: { per: 'month' } });
  // @ts-expect-error forms exclude each other
  new ApiKey(scope, 'Key', { name: 'a', budget: { usd: 25, per: 'month', initial: true } });
  // @ts-expect-error a year is not a window
  new ApiKey(scope, 'Key', { name: 'a', budget: { usd: 25, per: 'year' } });
  // @ts-expect-error what is set once is not filled up
  new ApiKey(scope, 'Key', { name: 'a', budget: { usd: 25, initial: true, below: { usd: 5 } } });
  // @ts-expect-error a first grant is one or is none
  new ApiKey(scope, 'Key', { name: 'a', budget: { usd: 25, initial: false } });
  // @ts-expect-error tiers belong to smartRouting
  new ApiKey(scope, 'Key', { name: 'a', smartRouting: { fast: [] } });
  // @ts-expect-error the name of a key of a set is that of its entry
  new KeySet(scope, 'Keys', { keys: { a: { name: 'b' } } });
  // @ts-expect-error a former name belongs to one key, not to all
  new KeySet(scope, 'Keys', { defaults: { renamedFrom: 'b' }, keys: {} });
  // @ts-expect-error a budget without a ceiling cannot be split
  new TeamKeys(scope, 'Team', { team: 't', members: ['a'], budget: 'unlimited' });
  // @ts-expect-error the budget is the team’s
  new TeamKeys(scope, 'Team', { team: 't', members: { a: { budget: { usd: 5 } } }, budget: { usd: 5 } });
  // @ts-expect-error a rotation has an overlap
  new RotatingKey(scope, 'Desk', { name: 'desk', every: '90d' });
  // @ts-expect-error there is no such module
  new SmokeCheck(scope, 'Check', { key, module: 'telepathy' });
  // @ts-expect-error an expectation is not a field of the request
  new SmokeCheck(scope, 'Check', { key, module: 'chat', contains: 'pong' });
  // @ts-expect-error a check is of a key
  new SmokeCheck(scope, 'Check', { key: 'a', module: 'chat' });
  // @ts-expect-error what was given stays
  key.keyName = 'b';
};

const refusedForCdktn = ({ ApiKey, TeamKeys }: typeof forCdktn) => {
  new ApiKey(scope, 'Key', { name: 'a', budget: { quota: 5, below: { usd: 1 } } });
  // @ts-expect-error forms exclude each other
  new ApiKey(scope, 'Key', { name: 'a', budget: { usd: 25, per: 'month', initial: true } });
  // @ts-expect-error a budget without a ceiling cannot be split
  new TeamKeys(scope, 'Team', { team: 't', members: ['a'], budget: 'unlimited' });
};

describe('The types of both CDKs', () => {
  it('reject everything above', () => {
    expectTypeOf(refusedForCdktf).toBeFunction();
    expectTypeOf(refusedForCdktn).toBeFunction();
  });

  it('are the same for what people write', () => {
    expectTypeOf<forCdktf.KeyFields>().toEqualTypeOf<forCdktn.KeyFields>();
    expectTypeOf<forCdktf.SmokeCheckExpect>().toEqualTypeOf<forCdktn.SmokeCheckExpect>();
    expectTypeOf<forCdktf.Budget>().toEqualTypeOf<forCdktn.Budget>();
    expectTypeOf(Construct).toBeConstructibleWith(scope, 'id');
  });
});
