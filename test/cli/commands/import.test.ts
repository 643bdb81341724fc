import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openAccount, SEED } from '../account.ts';

const ODD = {
  ...SEED,
  keys: [
    { id: 3, name: 'app-1', allow_ips: 'nowhere', remain_quota: 500_000 },
    { id: 5, name: 'words', allow_ips: 'anywhere', model_limits_enabled: true, model_limits: 'any', remain_quota: 1 },
    { id: 4, name: 'app-2', group: 'g${TfToken[TOKEN.1]}', remain_quota: 500_000 },
  ],
};

describe('import', () => {
  let account: Awaited<ReturnType<typeof openAccount>>;
  beforeAll(async () => {
    account = await openAccount('keys: {}\n', ODD);
  });
  afterAll(() => account.close());

  async function ask(...words: string[]) {
    const terminal = account.terminal(false);
    const code = await terminal.run('import', ...words);
    return { code, out: terminal.out(), err: terminal.err() };
  }

  const OF_ADDRESSES = 'app-1: allowIps is omitted: the line "nowhere" is not an IP address or range\n';
  const OF_WORDS =
    'words: models is omitted: the model ID "any" has the spelling of the word for\n  no restriction\n' +
    'words: allowIps is omitted: the line "anywhere" is not an IP address or range\n';
  const OF_GROUP = 'app-2: group is omitted: CDK would mistake the text for a token\n';

  it.each([
    ['yaml', OF_ADDRESSES + OF_WORDS],
    ['hcl', OF_ADDRESSES + OF_WORDS],
    ['hcl-json', OF_ADDRESSES + OF_WORDS],
    ['cdk', OF_ADDRESSES + OF_GROUP + OF_WORDS],
  ])('reports omissions from %s on standard error', async (language, omissions) => {
    expect(await ask('--to', language)).toMatchObject({ code: 0, err: omissions });
  });

  it.each(['yaml', 'hcl', 'hcl-json', 'cdk'])(
    'writes no list whose entry is the word for no restriction as one, in %s',
    async (language) => {
      const { out } = await ask('--to', language, '--key', 'words');
      // The comments and the annotations name what is omitted.
      const declarations = out.replace(/^\s*(#|\/\/).*$/gm, '').replace(/^.*is omitted: .*$/gm, '');
      expect(declarations).toContain('words');
      expect(declarations).not.toMatch(/\b(models|allow_?[iI]ps|any|anywhere)\b/);
    },
  );

  it('reports it in JSON as well', async () => {
    expect(JSON.parse((await ask('--format', 'json')).out)).toMatchObject({
      data: {
        keys: 3,
        skipped: [],
        leftOut: [
          { key: 'app-1', what: expect.stringMatching(/^allowIps is omitted: /) },
          { key: 'words', what: expect.stringMatching(/^models is omitted: /) },
          { key: 'words', what: expect.stringMatching(/^allowIps is omitted: /) },
        ],
      },
    });
  });

  it('takes a default manifest without a byte for the file that a shell made for the output', async () => {
    const path = join(account.folder, 'keyplane.yaml');
    const before = await readFile(path);
    await writeFile(path, '');
    const { code, out } = await ask();
    expect(await ask('--file', 'keyplane.yaml')).toMatchObject({ code: 3, out: '' });
    await writeFile(path, before);
    expect({ code, out }).toEqual({ code: 0, out: (await ask()).out });
  });
});

describe('import of a key with generations', () => {
  it('states that an apply ends the former one, as the plan of the manifest shows', async () => {
    const keys = [
      { id: 7, name: 'app', remain_quota: 1, status: 2 },
      { id: 9, name: 'app~20260101-0000', remain_quota: 1 },
      { id: 8, name: 'a-name-of-more-than-x~0123456789~20260101-0000', remain_quota: 1 },
    ];
    const account = await openAccount('keys: {}\n', { ...SEED, keys });
    const terminal = account.terminal(false);
    expect(await terminal.run('import', '--out', 'keyplane.yaml', '--yes')).toBe(0);
    const text = await readFile(join(account.folder, 'keyplane.yaml'), 'utf8');
    expect(text).toContain('# - key 7, "app": it is a former generation of a declared key: an apply ends it');
    expect(text).toContain('~20260101-0000": it is a generation of a key that rotates, whose whole name is unknown');
    expect(text).not.toContain('unmanaged');
    const planning = account.terminal(false);
    await planning.run('plan');
    expect(planning.out()).toContain('- delete   app (first generation, id 7)');
    await account.close();
  });
});

describe('import of a key whose name a newer key in quarantine had', () => {
  const planned = async (name: string, status: number) => {
    const keys = [
      { id: 7, name, remain_quota: 1 },
      { id: 9, name: 'app~q20260101-1a2b3c4', remain_quota: 1, status },
    ];
    const account = await openAccount('keys: {}\n', { ...SEED, keys });
    const terminal = account.terminal(false);
    expect(await terminal.run('import', '--out', 'keyplane.yaml', '--yes')).toBe(0);
    const text = await readFile(join(account.folder, 'keyplane.yaml'), 'utf8');
    const planning = account.terminal(false);
    const code = await planning.run('plan', '--detailed-exitcode');
    await account.close();
    return { text, code, err: planning.err() };
  };

  it('writes a key by its ID, so that the plan changes nothing', async () => {
    const { text, code, err } = await planned('app', 2);
    expect(text).toMatch(/^ {2}key-7:\n {4}id: 7\n {4}name: app$/m);
    expect(text).toContain('# - key 9, "app~q20260101-1a2b3c4": it is in quarantine: it was disabled because');
    expect([code, err]).toEqual([0, '']);
  });

  it('leaves a generation out, so that the plan changes nothing, and gives the reason', async () => {
    const { text, code, err } = await planned('app~20260101-0000', 2);
    expect(text).toContain('# - key 7, "app": a declaration would also find key 9, which is in quarantine: rename');
    expect([code, err]).toEqual([0, '']);
  });

  it('does not call a key disabled that has only the name of a quarantine', async () => {
    const { text } = await planned('app', 1);
    expect(text).toContain('# - key 9, "app~q20260101-1a2b3c4": its name has the form of a key in quarantine, but the');
  });
});
