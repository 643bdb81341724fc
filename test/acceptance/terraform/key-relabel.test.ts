import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPlace, type Place } from '../place.ts';
import { expectApplied, expectSettled, key } from './changes.ts';
import { openStack, type Stack, skipWithoutTerraform } from './stack.ts';

const flat = (text: string): string => text.replaceAll(/\s*│?\s+/g, ' ');

const resource = (label: string, more = ''): string =>
  key(label, `budget = { usd = 1, per = "lifetime" }\n${more}`).replace(/name = .*/, 'name = "prod"');

const importBlock = (label: string, id: number): string =>
  `import {\n  to = keyplane_api_key.${label}\n  id = "${id}"\n}\n`;

const EXISTS = 'A key with this name already exists';
const DELETES = 'The key 1 ("prod") will be deleted, and another one created with its name';
const SHARED = 'This plan would delete the key 1 ("prod"), which another resource of this state has';

// Core visits resources in an order of its own.
describe.each([
  ['api', 'web'],
  ['web', 'api'],
])('a resource of terraform whose label changes from %s to %s', (former, label) => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
    stack = await openStack(place, resource(former));
    await expectApplied(stack);
  });
  afterEach(() => place?.close());

  const ids = async () => (await place.keys()).map(({ id }) => id);
  const moved = `moved {\n  from = keyplane_api_key.${former}\n  to = keyplane_api_key.${label}\n}\n`;

  it.each(['-parallelism=1', '-parallelism=10'])(
    'is warned that its key will be deleted, and names `moved` (%s)',
    async (parallelism) => {
      await stack.configure(resource(label));
      const { stdout } = await stack.run('plan', parallelism);
      expect(flat(stdout)).toContain(DELETES);
      expect(flat(stdout)).toContain('add a `moved` block from its former address');
      await stack.configure(resource(label) + moved);
      await expectApplied(stack);
      await expectSettled(stack);
      expect(await ids()).toEqual([1]);
    },
  );

  it.each(['-parallelism=1', '-parallelism=10'])(
    'does not lose a key that is imported under the new label (%s)',
    async (parallelism) => {
      await stack.configure(resource(label) + importBlock(label, 1));
      const { code, stderr } = await stack.run('apply', '-auto-approve', parallelism);
      expect([code, flat(stderr)]).toEqual([1, expect.stringContaining(SHARED)]);
      expect(flat(stderr)).toContain('`moved`');
      expect(await ids()).toEqual([1]);
      const kept = `removed {\n  from = keyplane_api_key.${former}\n  lifecycle { destroy = false }\n}\n`;
      await stack.configure(resource(label) + importBlock(label, 1) + kept);
      await expectApplied(stack);
      await expectSettled(stack);
      expect(await ids()).toEqual([1]);
    },
  );

  it('gets no key that another resource has or imports', async () => {
    const text = 'The key 1 ("prod") cannot be in two resources';
    const expectRejected = async (configuration: string): Promise<void> => {
      await stack.configure(configuration);
      const { code, stderr } = await stack.run('apply', '-auto-approve');
      expect([code, flat(stderr), await ids()]).toEqual([1, expect.stringContaining(text), [1]]);
    };
    await expectRejected(resource(former) + resource(label) + importBlock(label, 1));
    await stack.run('state', 'rm', `keyplane_api_key.${former}`);
    await expectRejected(resource(former) + importBlock(former, 1) + resource(label) + importBlock(label, 1));
    await stack.configure(resource(label) + importBlock(label, 1));
    await expectApplied(stack);
    await expectSettled(stack);
  });

  it('keeps a key that is in two resources of which one is removed', async () => {
    await stack.configure(resource(former) + resource(label));
    const imported = await stack.run('import', `keyplane_api_key.${label}`, '1');
    expect(imported.code, imported.stderr).toBe(0);
    await stack.configure(resource(label));
    const { code, stderr } = await stack.run('apply', '-auto-approve', '-refresh=false');
    expect([code, flat(stderr), await ids()]).toEqual([1, expect.stringContaining(SHARED), [1]]);
    expect(flat(stderr)).toContain('`terraform state rm`');
    await stack.run('state', 'rm', `keyplane_api_key.${former}`);
    await expectSettled(stack);
    expect(await ids()).toEqual([1]);
  });

  it('has no warning if it gets another name', async () => {
    await stack.configure(resource(label).replace('"prod"', '"other"'));
    expect((await stack.run('plan')).stdout).not.toContain('moved');
  });
});

describe('a resource of terraform that is replaced', () => {
  let place: Place;
  let stack: Stack;
  beforeEach(async (context) => {
    skipWithoutTerraform(context);
    place = await openPlace([], 'deployed');
    stack = await openStack(
      place,
      resource('one', '  lifecycle { replace_triggered_by = [terraform_data.trigger] }\n') + TRIGGER('a'),
    );
    await expectApplied(stack);
  });
  afterEach(() => place?.close());

  const TRIGGER = (input: string): string => `resource "terraform_data" "trigger" { input = "${input}" }\n`;

  const WAYS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    '-replace': async () => ['-replace=keyplane_api_key.one'],
    '-replace without a refresh': async () => ['-replace=keyplane_api_key.one', '-refresh=false'],
    taint: async () => {
      await stack.run('taint', 'keyplane_api_key.one');
      return [];
    },
    replace_triggered_by: async () => {
      await stack.configure(
        resource('one', '  lifecycle { replace_triggered_by = [terraform_data.trigger] }\n') + TRIGGER('b'),
      );
      return [];
    },
  };

  it.each(Object.keys(WAYS))('shows no warning about the key that the same run deletes (%s)', async (way) => {
    const words = (await WAYS[way]?.()) ?? [];
    const plan = await stack.run('plan', ...words);
    expect(plan.stdout).toContain('1 to destroy');
    expect(plan.stdout).not.toContain('Warning');
    expect(await expectApplied(stack, ...words)).not.toContain('Warning');
    expect((await place.keys()).map(({ id }) => id)).toEqual([2]);
    await expectSettled(stack);
  });

  it('warns of a key that no resource manages, with what to do', async () => {
    await stack.run('state', 'rm', 'keyplane_api_key.one');
    const { stdout } = await stack.run('plan');
    expect(flat(stdout)).toContain(`${EXISTS} (id 1)`);
    expect(flat(stdout)).toContain('If a resource had it under another address, add a `moved` block.');
    expect(flat(stdout)).toContain('If no resource manages it, import it with an `import` block and `id = "1"`.');
  });
});
