import { describe, expect, test } from 'vitest';
import { from, outputOf, stackOf } from '../tfjson/synthesized.ts';
import { type ReadOptions, readFiles } from './scratch.ts';

const output = outputOf({ prod: stackOf({ app: from('prod/App', { name: 'app' }) }) });

const told = async (files: Readonly<Record<string, string>>, paths?: ReadOptions['paths']) => {
  const { diagnostics } = await readFiles(files, paths ? { paths } : {});
  return diagnostics.map(({ code, message, hint }) => `${code}: ${message} ${hint}`);
};

describe('a file that is no manifest', () => {
  test.each(['main.ts', 'main.mjs', 'lib/keys.js', 'main.py'])(
    'is told once when it is a program: %s',
    async (name) => {
      expect(await told({ [name]: "import { App } from 'cdktf';\n  new App({ outdir: 'x' }).synth();\n" })).toEqual([
        'manifest.unreadable: A program is not read. Run it, then name its output: `cdktf.out`.',
      ]);
    },
  );

  test.each(['main.tf', 'main.tofu'])('is told once when it is in Terraform’s own syntax: %s', async (name) => {
    expect(await told({ [name]: 'resource "keyplane_api_key" "app" {\n  name = "app"\n}\n' })).toEqual([
      'manifest.unreadable: Terraform’s own syntax is not read. Write `*.tf.json` instead.',
    ]);
  });

  test('is told to be in the folder to name, when a CDK has written it', async () => {
    expect(await told(output, ['cdktf.out/manifest.json'])).toEqual([
      'manifest.unreadable: This file only lists what a CDK for Terraform has synthesized. Name its folder: `cdktf.out`.',
    ]);
    expect(await told({ 'manifest.json': '{"version":1,"keys":{"app":{}}}' })).toEqual([]);
  });

  test('is told as missing when it is not there', async () => {
    const { diagnostics } = await readFiles({}, { paths: ['main.ts'] });
    expect(diagnostics).toMatchObject([{ code: 'manifest.unreadable', message: 'main.ts cannot be read.' }]);
  });
});

describe('a manifest that is not there', () => {
  const hint = async (files: Readonly<Record<string, string>>) =>
    (await readFiles(files, { paths: ['keyplane.yaml'] })).diagnostics.map((each) => each.hint);

  test('is taken for what a CDK has written beside it, or would write', async () => {
    expect(await hint(output)).toEqual(['Did you mean `cdktf.out`?']);
    const program = { 'cdktf.json': '{"app":"npx tsx main.ts"}' };
    expect(await hint(program)).toEqual(['Did you mean `cdktf.out`? The program there was not synthesized yet.']);
    expect(await hint({})).toEqual(['Is the path right?']);
  });
});

describe('a folder with nothing to read', () => {
  test('names what is in it when that are stacks', async () => {
    expect(await told(output, ['cdktf.out/stacks'])).toEqual([
      'manifest.no-files: cdktf.out/stacks holds no manifest file. Name one of its folders, such as `cdktf.out/stacks/prod`, or the CDK’s whole output: `cdktf.out`.',
    ]);
    const modules = { 'live/prod/keys.tf.json': '{}' };
    expect(await told(modules, ['live'])).toEqual([expect.stringContaining('such as `live/prod`: they are not')]);
  });

  test('is the output of a synthesis that did not finish when it has no list of its stacks', async () => {
    const { 'cdktf.out/manifest.json': _, ...unfinished } = output;
    expect(await told(unfinished, ['cdktf.out'])).toEqual([
      expect.stringContaining('the program failed, or has no `app.synth()`. Run it again.'),
    ]);
  });
});
