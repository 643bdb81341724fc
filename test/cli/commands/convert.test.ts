import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount } from '../account.ts';

const MANIFEST = `gateway: { url: https://gateway.example.com, userId: 42, accessTokenFile: secrets/access.token, profile: secrets/ours.json }
ownership: { scope: "prod-*", prune: disable }
keys:
  prod-a: { group: "\${env:GROUP}", rotate: { every: 90d, overlap: 7d } }
`;

describe('convert', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount(MANIFEST);
  });
  afterAll(() => account.close());

  async function ask(...words: string[]) {
    const terminal = account.terminal(false, { GROUP: 'vip', KEYPLANE_MANIFEST_ENV: 'GROUP' });
    const code = await terminal.run('convert', ...words);
    return { code, out: terminal.out(), err: terminal.err() };
  }

  it('asks for the language', async () => {
    const { code, err } = await ask();
    expect([code, err]).toEqual([3, expect.stringContaining('Choose one with --to: yaml, hcl, hcl-json or cdk.')]);
    expect((await ask('--to', 'toml')).code).toBe(3);
  });

  it('writes no referenced value without the flag for it', async () => {
    const { code, out, err } = await ask('--to', 'hcl');
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain('error[manifest.holds-references]: 1 value would be copied from the environment');
    expect(err).toContain('keyplane.yaml:5:20');
    expect(err).not.toContain('vip');
    expect((await ask('--to', 'hcl', '--inline-references')).out).toContain('group   = "vip"');
  });

  it('reports omissions on standard error and in JSON', async () => {
    const { code, err } = await ask('--to', 'hcl', '--inline-references');
    expect(code).toBe(0);
    expect(err.slice(err.indexOf('gateway.accessTokenFile')).split('\n').slice(0, 6)).toEqual([
      'gateway.accessTokenFile is omitted: set KEYPLANE_ACCESS_TOKEN instead',
      'ownership.scope prod-* is omitted: the state of Terraform determines which',
      '  keys it owns',
      'ownership.prune disable is omitted: Terraform deletes keys that are no longer',
      '  declared',
      '',
    ]);
    const { out } = await ask('--to', 'cdk', '--cdk', 'cdktn', '--inline-references', '--format', 'json');
    expect(JSON.parse(out)).toMatchObject({
      kind: 'convert',
      data: {
        language: 'cdk',
        text: expect.stringContaining("from 'cdktn'"),
        leftOut: [
          { what: expect.stringMatching(/^gateway/) },
          { what: expect.stringMatching(/^ownership\.scope/) },
          { what: expect.stringMatching(/^ownership\.prune/) },
        ],
      },
    });
  });

  it('reads Terraform JSON, and keeps paths right where the file is written', async () => {
    const json = await ask('--to', 'hcl-json', '--inline-references', '--out', 'keys.tf.json');
    expect(json.code, json.err).toBe(0);
    expect(await readFile(join(account.folder, 'keys.tf.json'), 'utf8')).toContain(
      '"gateway_profile": "secrets/ours.json"',
    );
    expect((await ask('-f', 'keys.tf.json', '--to', 'yaml')).out).toMatch(/ {2}prod-a:\n {4}group: vip\n {4}rotate: /);
    const toYaml = ['--to', 'yaml', '--inline-references'];
    const here = await ask(...toYaml);
    expect(here.out).toContain('accessTokenFile: "secrets/access.token"');
    expect(here.out).toContain('profile: "secrets/ours.json"');
    expect(here.out).toContain('rotate: { "every": "90d", "overlap": "7d" }');
    const nextFile = join(account.folder, 'secrets/new.yaml');
    await mkdir(join(account.folder, 'secrets'));
    expect((await ask(...toYaml, '--out', nextFile)).code).toBe(0);
    expect(await readFile(nextFile, 'utf8')).toContain('accessTokenFile: access.token\n  profile: ours.json\n');
  });

  it('takes a package only where a program is written', async () => {
    const { code, err } = await ask('--to', 'hcl', '--cdk', 'cdktn');
    expect([code, err]).toEqual([3, expect.stringContaining('--cdk requires --to cdk.')]);
  });
});
