import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLAVOURS, type Flavour, openStack } from './flavours.ts';

type Stack = InstanceType<Flavour['cdk']['TerraformStack']>;
type JsonObject = { readonly [name: string]: unknown };

const FOLDER = resolve(import.meta.dirname, '../golden/constructs');

function declareKeys(stack: Stack, { cdk, keys, generated }: Flavour): void {
  const { ApiKey, KeySet, RotatingKey, SmokeCheck, TeamKeys } = keys;
  const models = ['alpha-chat-1'];
  new ApiKey(stack, 'Plain', { name: 'plain' });
  const key = new ApiKey(stack, 'Full', {
    ...{ name: 'full', enabled: false, group: 'vip', crossGroupRetry: true, models, allowIps: ['10.0.0.0/8'] },
    ...{ expires: new Date('2030-03-31T00:00:00Z'), budget: { usd: '0.1', below: { usd: 0.05 } } },
    ...{ smartRouting: { tiers: { fast: models, depth: 2 } }, renamedFrom: 'ful', preventDestroy: true },
  });
  const seats = new cdk.TerraformVariable(stack, 'seats', { type: 'map(string)' });
  const seat = cdk.TerraformIterator.fromMap(seats.value);
  const group = new cdk.TerraformVariable(stack, 'group', { type: 'string' });
  new ApiKey(stack, 'Seats', { name: `seat-${seat.key}`, forEach: seat, group: group.stringValue, models: 'any' });
  new KeySet(stack, 'Set', {
    defaults: { budget: { usd: 5 }, models },
    keys: { 'a/b': {}, constructor: { renamedFrom: 'builder' }, Default: { allowIps: 'anywhere' } },
  });
  new TeamKeys(stack, 'Team', { team: 'search', members: ['ada', 'bob'], budget: { usd: 1, per: 'month' } });
  const booth = new RotatingKey(stack, 'Booth', { name: 'booth', every: '90d', overlap: '7d', dependsOn: [key] });
  const use = new cdk.TerraformResource(stack, 'use', { terraformResourceType: 'terraform_data' });
  use.addOverride('input', `Bearer ${booth.secret()}`);
  new SmokeCheck(stack, 'Chat', { key, module: 'chat', expect: { contains: 'ok' }, request: { note: group.value } });
  new SmokeCheck(stack, 'Soft', { key, module: 'model-list', onFailure: 'warn' });
  new generated.apiKey.ApiKey(stack, 'Bare', { name: 'bare', budget: { unlimited: true } });
}

/** Each block of a configuration in a line, below its address. */
const linesOf = (value: JsonObject, depth: number, path: readonly string[] = []): readonly string[] =>
  Object.entries(value).flatMap(([name, part]) =>
    depth > 1 && typeof part === 'object' && part !== null && !Array.isArray(part)
      ? linesOf(part as JsonObject, depth - 1, [...path, name])
      : [`${[...path, name].join('.')} ${JSON.stringify(part)}`],
  );

const DEPTHS: Readonly<Record<string, number>> = { resource: 3, data: 3, ephemeral: 3, provider: 1 };

/** A configuration without what differs between machines and releases. */
function blockLines(text: string): string {
  const configuration = JSON.parse(text.replaceAll(JSON.stringify(process.cwd()).slice(1, -1), '')) as JsonObject;
  const lines = Object.entries(configuration).flatMap(([section, part]) =>
    linesOf({ [section]: part }, DEPTHS[section] ?? 2),
  );
  return `${lines.join('\n').replace(/(?<="version":)"[^"]*"/g, '"…"')}\n`;
}

/** Terraform replaces a key whose address changes, so these files must only change with a migration for existing stacks. */
describe.each(FLAVOURS)('The synthesis of $name', (flavour) => {
  const { cdk, keys } = flavour;
  const { ApiKey, RequireBudget } = keys;

  it('keeps every byte and every address, in two stacks of which one refers to the other', async () => {
    const { app, stack } = openStack(flavour);
    cdk.Aspects.of(app).add(new RequireBudget({ except: ['*'] }));
    declareKeys(stack, flavour);
    const source = new cdk.TerraformResource(stack, 'source', { terraformResourceType: 'terraform_data' });
    const { stack: other } = openStack(flavour, 'other', app);
    new ApiKey(other, 'Far', { name: 'far', group: source.getStringAttribute('output') });
    app.synth();
    for (const name of ['prod', 'other']) {
      const text = readFileSync(join(app.outdir, 'stacks', name, 'cdk.tf.json'), 'utf8');
      // cdktf breaks the line within an empty object.
      expect(text.replace(/\{\s+\}/g, '{}')).toBe(JSON.stringify(JSON.parse(text), null, 2));
      await expect(blockLines(text)).toMatchFileSnapshot(join(FOLDER, `${flavour.name}-${name}.txt`));
    }
  });
});
