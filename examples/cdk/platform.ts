import { Construct } from 'constructs';
import { KeyplaneProvider, KeySet, RotatingKey, SmokeCheck, TeamKeys, TerraformOutput, TerraformStack } from './cdk.ts';
import type { Environment } from './environment.ts';

const CHAT = 'alpha-chat-1';
const EMBEDDINGS = 'text-embedding-3-small';
const END = '2030-01-01T00:00:00Z';

/** The checkout team: one key for what customers wait for, one for what runs at night. */
class Checkout extends Construct {
  constructor(scope: Construct, id: string, { name, network, monthly }: Environment) {
    super(scope, id);
    new KeySet(this, 'Keys', {
      defaults: { group: 'default', models: [CHAT], allowIps: [network], expires: END },
      keys: {
        [`${name}-checkout-api`]: { budget: { usd: monthly.checkout, per: 'month' }, preventDestroy: name === 'prod' },
        [`${name}-checkout-batch`]: { budget: { usd: 5, per: 'day' }, models: [CHAT, EMBEDDINGS] },
      },
    });
  }
}

/** The search team: people with keys of their own, who share one budget. */
class Search extends Construct {
  constructor(scope: Construct, id: string, { name, monthly }: Environment) {
    super(scope, id);
    const team = new TeamKeys(this, 'Team', {
      team: `${name}-search`,
      members: { ada: { share: 2 }, grace: {}, alan: { models: [EMBEDDINGS] } },
      models: [CHAT, EMBEDDINGS],
      allowIps: ['127.0.0.1', '10.0.0.0/8'],
      expires: END,
      budget: { usd: monthly.search, per: 'month' },
    });
    new SmokeCheck(this, 'pong', {
      name: `${name}-pong`,
      key: team.get('ada'),
      module: 'chat',
      model: CHAT,
      request: { messages: [{ role: 'user', content: 'Reply with exactly: pong' }], max_tokens: 5 },
      expect: { contains: 'pong', maxLatencyMs: 30_000 },
      onFailure: 'warn',
    });
    new SmokeCheck(this, 'no-chat', { name: `${name}-no-chat`, key: team.get('alan'), module: 'forbidden-model' });
  }
}

/** The support team: its key is replaced every quarter, and the one before goes on working for a fortnight. */
class Support extends Construct {
  constructor(scope: Construct, id: string, { name, monthly }: Environment) {
    super(scope, id);
    const key = new RotatingKey(this, 'Desk', {
      name: `${name}-support`,
      every: '91d',
      overlap: '14d',
      models: [CHAT],
      allowIps: ['203.0.113.7'],
      budget: { usd: monthly.support, below: { usd: 1 } },
      expires: END,
    });
    new TerraformOutput(this, 'DeskKey', { value: key.keyName });
  }
}

/** One environment of the platform: a stack, with the keys of three teams. */
export class Platform extends TerraformStack {
  constructor(scope: Construct, environment: Environment, gateway: { readonly url: string; readonly userId: number }) {
    super(scope, environment.name);
    new KeyplaneProvider(this, 'keyplane', gateway);
    new Checkout(this, 'Checkout', environment);
    new Search(this, 'Search', environment);
    new Support(this, 'Support', environment);
  }
}
