import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { ROOT } from '../architecture/repository.ts';

const run = promisify(execFile);

/** Prints the files of the package that an app loads, below the folder of the constructs. */
const PRINT = `
const [cdk] = process.argv.slice(1);
const { ApiKey } = require('keyplane/constructs/' + cdk);
const { App, TerraformStack } = require(cdk);
const key = new ApiKey(new TerraformStack(new App(), 'stack'), 'Key', { name: 'a' });
const files = Object.keys(require.cache).filter((path) => path.includes('/dist/constructs/'));
const names = files.map((path) => path.replace(/^.*\\/constructs\\/(?=cdk\\/|gen\\/)/, ''));
const { apiKey } = require('keyplane/constructs/' + cdk + '/provider');
console.log(JSON.stringify({ names: names.sort(), isGenerated: key.resource instanceof apiKey.ApiKey }));
`;

it.each([
  ['cdktf', []],
  // The provider of CDK Terrain has functions.
  ['cdktn', ['provider-functions']],
])('loads one file of constructs for %s, and the generated classes that it uses, once', async (cdk, more) => {
  const { stdout } = await run(process.execPath, ['-e', PRINT, cdk], { cwd: ROOT });
  const classes = ['provider', 'data-keyplane-check', 'api-key', ...more];
  expect(JSON.parse(stdout)).toEqual({
    names: ['cdk', ...classes.map((name) => `gen/${cdk}/${name}`)].map((folder) => `${folder}/index.js`).toSorted(),
    isGenerated: true,
  });
});
