import { describe, expect, test } from 'vitest';
import { from, outputOf, stackOf } from '../tfjson/synthesized.ts';
import { type ReadOptions, readFiles } from './scratch.ts';

const output = outputOf({ prod: stackOf({ app: from('prod/App', { name: 'app' }) }) });

const reported = async (files: Readonly<Record<string, string>>, paths?: ReadOptions['paths']) => {
  const { diagnostics } = await readFiles(files, paths ? { paths } : {});
  return diagnostics.map(({ code, message, hint }) => `${code}: ${message} ${hint}`);
};

describe('a file that is not a manifest', () => {
  test.each(['main.ts', 'main.mjs', 'lib/keys.js', 'main.py'])(
    'is reported once when it is a program: %s',
    async (name) => {
      expect(await reported({ [name]: "import { App } from 'cdktf';\n  new App({ outdir: 'x' }).synth();\n" })).toEqual(
        ['manifest.unreadable: Keyplane does not read programs. Run it, then pass its output: `cdktf.out`.'],
      );
    },
  );

  test.each(['main.tf', 'main.tofu'])('is reported once when it is in Terraform’s native syntax: %s', async (name) => {
    expect(await reported({ [name]: 'resource "keyplane_api_key" "app" {\n  name = "app"\n}\n' })).toEqual([
      'manifest.unreadable: Keyplane does not read Terraform’s native syntax. Write `*.tf.json` instead.',
    ]);
  });

  test('leads to its folder when a CDK has written it', async () => {
    expect(await reported(output, ['cdktf.out/manifest.json'])).toEqual([
      'manifest.unreadable: This file only lists the stacks that a CDK for Terraform has synthesized. Pass its folder: `cdktf.out`.',
    ]);
    expect(await reported({ 'manifest.json': '{"version":1,"keys":{"app":{}}}' })).toEqual([]);
  });

  test('is reported as missing when it does not exist', async () => {
    const { diagnostics } = await readFiles({}, { paths: ['main.ts'] });
    expect(diagnostics).toMatchObject([{ code: 'manifest.unreadable', message: 'main.ts cannot be read.' }]);
  });
});

describe('a manifest that does not exist', () => {
  const hint = async (files: Readonly<Record<string, string>>) =>
    (await readFiles(files, { paths: ['keyplane.yaml'] })).diagnostics.map((each) => each.hint);

  test('leads to the output of a CDK next to it', async () => {
    expect(await hint(output)).toEqual(['Did you mean `cdktf.out`?']);
    const program = { 'cdktf.json': '{"app":"npx tsx main.ts"}' };
    expect(await hint(program)).toEqual(['Did you mean `cdktf.out`? Synthesize the program there first.']);
    expect(await hint({})).toEqual(['Is the path right?']);
  });
});

describe('a folder without files to read', () => {
  test('leads to its stacks', async () => {
    expect(await reported(output, ['cdktf.out/stacks'])).toEqual([
      'manifest.no-files: cdktf.out/stacks contains no manifest files. Pass one of its folders, such as `cdktf.out/stacks/prod`, or the whole output of the CDK: `cdktf.out`.',
    ]);
    const modules = { 'live/prod/keys.tf.json': '{}' };
    expect(await reported(modules, ['live'])).toEqual([
      expect.stringContaining('such as `live/prod`: Keyplane does not'),
    ]);
  });

  test('is an unfinished synthesis when it has stacks and no list of them', async () => {
    const { 'cdktf.out/manifest.json': _, ...unfinished } = output;
    expect(await reported(unfinished, ['cdktf.out'])).toEqual([
      expect.stringContaining('the program failed or does not call `app.synth()`. Run it again.'),
    ]);
  });
});
