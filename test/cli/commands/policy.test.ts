import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const POLICY = `version: 1
policy:
  budget: { usd: 10 }
  owner: true
`;
const GOOD = 'keys:\n  app-1: { budget: { usd: 1 }, owner: search }\n';
const BAD = 'keys:\n  app-1: { budget: { usd: 11 }, owner: search }\n';

describe('a policy on the command line', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeEach(async () => {
    account = await openAccount(GOOD);
    await write('policy.yaml', POLICY);
  });
  afterEach(() => account.close());

  const write = (file: string, text: string) => writeFile(join(account.folder, file), text);
  const declare = (text: string) => write('keyplane.yaml', `version: 1\n${text}`);
  async function keyplane(words: readonly string[], env: Record<string, string> = {}) {
    const terminal = account.terminal(false, env);
    const code = await terminal.run(...words);
    return { code, out: terminal.out(), err: terminal.err().replace(/\s+/g, ' ') };
  }
  const strict = (...words: string[]) => keyplane([...words, '--policy', 'policy.yaml']);
  const APPLY = ['apply', '--yes', '--assume-log-complete', '--no-check'];

  it('accepts keys that keep its rules, in every command', async () => {
    expect((await strict('validate')).code).toBe(0);
    expect((await strict('plan', '--assume-log-complete')).code).toBe(0);
    expect((await strict(...APPLY)).code).toBe(0);
  });

  it('shows in validate what is wrong, where, what was expected, and what to do', async () => {
    await declare(BAD);
    const { code, out } = await strict('validate');
    expect(code).toBe(4);
    const text = out.replace(/\s+/g, ' ');
    expect(text).toContain(
      'error[guard.policy]: The policy does not allow “app-1”: its budget of $11 is more than $10.',
    );
    expect(text).toContain('keyplane.yaml:3:3');
    expect(text).toContain('policy.yaml:3:3');
    expect(text).toContain('at most $10');
    expect(text).toContain('keyplane.yaml: 1 error');
    const json = JSON.parse((await strict('validate', '--format', 'json')).out);
    expect(json.data.valid).toBe(false);
    expect(json.diagnostics).toMatchObject([{ code: 'guard.policy', severity: 'error', place: { line: 3 } }]);
  });

  it('refuses a plan and an apply, and sends no write', async () => {
    await declare(`${BAD}  app-9: { budget: { usd: 1 } }\n`);
    const plan = await strict('plan', '--assume-log-complete');
    expect(plan.code).toBe(4);
    expect(plan.out.replace(/\s+/g, ' ')).toContain('(keyplane.yaml:3; the rule of the policy: policy.yaml:3)');
    const applied = await strict(...APPLY);
    expect([applied.code, await account.names()]).toEqual([4, ['app-1', 'app-2']]);
    expect(applied.err).toContain('guard.policy');
    for (const lift of ['--allow-protected', '--allow-last-key', '--allow-unknown-groups', '--allow-unknown-models']) {
      expect((await strict(...APPLY, lift)).code).toBe(4);
    }
    const { data } = JSON.parse((await strict('plan', '--assume-log-complete', '--format', 'json')).out);
    expect(data.refusals).toMatchObject([
      { code: 'guard.policy', rule: 'budget', field: 'budget', names: ['app-1'], expected: 'at most $10', flag: '' },
      { code: 'guard.policy', rule: 'owner', names: ['app-9'], hint: 'Set `owner`.' },
    ]);
  });

  it('gives the same advice once where several keys break a rule', async () => {
    await declare(`${BAD}  app-9: { budget: { usd: 11 }, owner: search }\n`);
    const { code, err } = await strict(...APPLY);
    expect([code, err.split('Expected at most $10.').length - 1]).toEqual([4, 1]);
  });

  it.each([
    ['a policy of the manifest', 'policy: { budget: { usd: 1000 }, except: ["*"] }\n'],
    ['a policy of another file', ''],
  ])('cannot be weakened by %s', async (_title, weaker) => {
    await declare(`${weaker}${BAD}`);
    await write('weak.yaml', 'version: 1\npolicy: { budget: { usd: 1000 }, except: ["*"] }\n');
    for (const words of [
      ['--policy', 'policy.yaml', '--policy', 'weak.yaml'],
      ['--policy', 'weak.yaml', '--policy', 'policy.yaml'],
    ]) {
      expect((await keyplane(['plan', '--assume-log-complete', ...words])).code).toBe(4);
    }
    expect((await keyplane(['validate', '--policy', 'weak.yaml'], { KEYPLANE_POLICY: 'policy.yaml' })).code).toBe(4);
  });

  it('is part of the manifest, too, and holds for the keys of all its files', async () => {
    await declare(`policy: { expires: 30d }\n${GOOD}`);
    await write('more.yaml', 'version: 1\nkeys: { app-2: { expires: never } }\n');
    const { code, out } = await keyplane(['validate', '-f', 'keyplane.yaml', '-f', 'more.yaml']);
    expect(code).toBe(4);
    expect(out.match(/guard\.policy/g)).toHaveLength(2);
    expect((await keyplane(['validate'], { KEYPLANE_POLICY: '' })).code).toBe(4);
  });

  it.each([
    ['a missing file', undefined, 'manifest.unreadable'],
    ['an empty file', '', 'manifest.missing-field'],
    ['a file without a policy', 'version: 1\n', 'manifest.missing-field'],
    ['an empty policy', 'version: 1\npolicy: {}\n', 'manifest.missing-field'],
    ['a policy that is a list', 'version: 1\npolicy: [owner]\n', 'manifest.wrong-type'],
    ['a misspelled rule', 'version: 1\npolicy: { owners: true }\n', 'manifest.unknown-field'],
    ['a rule that is off', 'version: 1\npolicy: { owner: false }\n', 'manifest.'],
    ['a budget with a window', 'version: 1\npolicy: { budget: { usd: 1, per: day } }\n', 'manifest.'],
    ['a range with host bits', 'version: 1\npolicy: { allowIps: [10.1.2.3/8] }\n', 'manifest.invalid-ip-rule'],
    ['a reference', 'version: 1\npolicy: { owner: ["${env:TEAM}"] }\n', 'manifest.reference-not-allowed'],
    ['a rule twice', 'version: 1\npolicy: { owner: true, owner: [x] }\n', 'manifest.syntax'],
    ['keys', 'version: 1\npolicy: { owner: true }\nkeys: { b: {} }\n', 'manifest.unknown-field'],
    ['a later version', 'version: 2\npolicy: { owner: true }\n', 'manifest.unsupported-version'],
    ['a document that loops', 'version: 1\npolicy: &a { except: [*a] }\n', 'manifest.'],
  ])('fails on %s instead of allowing everything', async (_title, text, code) => {
    if (text !== undefined) await write('odd.yaml', text);
    const env = { TEAM: 'search', KEYPLANE_MANIFEST_ENV: 'TEAM' };
    for (const words of [['validate'], ['plan'], APPLY]) {
      const run = await keyplane([...words, '--policy', 'odd.yaml'], env);
      expect(run.code).toBe(3);
      expect(run.out + run.err).toContain(code);
    }
  });

  it('holds for keys that are adopted, renamed or enabled again, not for those that are declared disabled', async () => {
    await declare('keys:\n  app: { id: 3, name: app-1 }\n  app-9: { renamedFrom: app-2 }\n  off: { enabled: false }\n');
    const { data } = JSON.parse((await strict('plan', '--format', 'json')).out);
    expect(data.refusals.filter(({ rule }: { rule: string }) => rule === 'owner')).toMatchObject([
      { names: ['app-1'] },
      { names: ['app-9'] },
    ]);
    await declare('keys: { app-1: { enabled: false } }\n');
    expect((await strict(...APPLY, '--allow-last-key')).code).toBe(0);
    await declare('keys: { app-1: { enabled: true } }\n');
    expect((await strict(...APPLY, '--allow-enable', 'app-1')).code).toBe(4);
  });

  it('does not keep anybody from deleting keys', async () => {
    await declare(BAD);
    expect((await keyplane(['destroy', '--yes'], { KEYPLANE_POLICY: 'policy.yaml' })).code).toBe(0);
    expect(await account.names()).toEqual(['app-2']);
  });

  it('judges a saved plan again when it is applied, with and without its manifest', async () => {
    await declare(BAD);
    expect((await keyplane(['plan', '--assume-log-complete', '--out', 'plan.json'])).code).toBe(0);
    for (const words of [[], ['--plan-only']]) {
      const refused = await strict('apply', 'plan.json', '--yes', '--no-check', ...words);
      expect([refused.code, refused.err]).toEqual([4, expect.stringContaining('is more than $10')]);
    }
    const lenient = await keyplane(['apply', 'plan.json', '--yes', '--no-check', '--plan-only']);
    expect(lenient.code).toBe(0);
  });

  it('stays in a saved plan, so that applying it without its manifest does not avoid it', async () => {
    await declare(`policy: { budget: { usd: 10 }, allowIps: [10.0.0.0/8], except: [x] }\n${BAD}`);
    expect((await keyplane(['plan', '--assume-log-complete', '--out', 'plan.json'])).code).toBe(4);
    const saved = JSON.parse(await readFile(join(account.folder, 'plan.json'), 'utf8'));
    expect(JSON.stringify(saved)).toContain(
      '"policies":[{"budget":{"usd":"10"},"allowIps":["10.0.0.0/8"],"except":["x"]}]',
    );
    expect((await keyplane(['apply', 'plan.json', '--yes', '--no-check', '--plan-only'])).code).toBe(4);
  });

  it('judges only the keys that a run selects, and the total of all', async () => {
    await declare(
      `policy: { budget: { usd: 10 }, totalExposure: { usd: 5 } }\n${GOOD}  app-2: { budget: { usd: 11 } }\n`,
    );
    const names = async (...words: string[]) => {
      const { data } = JSON.parse(
        (await keyplane(['plan', '--assume-log-complete', '--format', 'json', ...words])).out,
      );
      return data.refusals.map(({ rule, names: [name] }: { rule: string; names: string[] }) => [rule, name]);
    };
    expect(await names()).toEqual([
      ['budget', 'app-2'],
      ['totalExposure', undefined],
    ]);
    expect(await names('--key', 'app-1')).toEqual([['totalExposure', undefined]]);
  });

  it('converts units by the rate of the gateway in a plan, and leaves them open in validate', async () => {
    await declare('keys:\n  app-1: { budget: { quota: 5000001 }, owner: search }\n');
    const validated = await strict('validate');
    expect([validated.code, validated.out]).toEqual([0, expect.stringContaining('has another unit than the maximum')]);
    expect((await strict('plan', '--assume-log-complete')).code).toBe(4);
  });

  it('holds for the keys of Terraform JSON, with the owners of a manifest', async () => {
    const resource = { keyplane_api_key: { one: { name: 'tf-one', budget: { usd: 50, per: 'lifetime' } } } };
    await write('main.tf.json', JSON.stringify({ resource }));
    await write('owners.yaml', 'version: 1\nowners: { search: { keys: "tf-*" } }\n');
    const alone = await strict('validate', '-f', 'main.tf.json');
    expect([alone.code, alone.out.match(/guard\.policy/g)]).toEqual([4, expect.objectContaining({ length: 2 })]);
    const owned = await strict('validate', '-f', 'main.tf.json', '-f', 'owners.yaml');
    expect(owned.out.replace(/\s+/g, ' ')).toContain('“tf-one”: its budget of $50 is more than $10');
    expect(owned.out).not.toContain('has no owner');
  });

  it('refuses a rotation whose successor would break it', async () => {
    await declare(BAD);
    const rotated = await strict('keys', 'rotate', 'app-1', '--yes');
    expect([rotated.code, await account.names()]).toEqual([4, ['app-1', 'app-2']]);
  });

  it('shows hostile names as text', async () => {
    await declare('keys:\n  "<b>|=1+1 \u202e": { budget: unlimited }\n');
    const { out } = await strict('plan', '--format', 'markdown');
    expect(out).not.toContain('<b>');
    expect((await strict('plan')).out).not.toContain('\u202e');
  });
});
