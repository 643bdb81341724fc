// Writes constructs/gen/: the constructs that mirror the provider one to one, for cdktf and for cdktn, each by its own generator
// from the schema that the provider prints. Needs neither Terraform nor a network; with --check only compares. Needs a build.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { checking, root, settle } from './generated-file.mjs';

const FOLDER = 'constructs/gen';
const SOURCE = 'registry.terraform.io/keyplane/keyplane';
const GENERATORS = { cdktf: '@cdktf/provider-generator', cdktn: '@cdktn/provider-generator' };
/** The lazy door is for projects without a bundler or a package; the pages name only a registry that we are not on. */
const NOT_OURS = /(^|\/)(README\.md|lazy-index\.ts)$/;

function schemaOfProvider() {
  const printed = execFileSync(process.execPath, [resolve(root, 'dist/provider/provider.cjs'), 'schema'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const { version } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'));
  return { ...JSON.parse(printed), provider_versions: { [SOURCE]: version } };
}

/** The generators look for a newer Terraform and run one, as soon as they are loaded; neither matters, and both may be missing. */
async function generate(generator, folder, schema) {
  const { generateProviderBindingsFromSchema } = createRequire(import.meta.url)(generator);
  await generateProviderBindingsFromSchema(folder, schema);
  return join(folder, 'providers/keyplane');
}

/** Imports name a folder there; here they name a file, as ECMAScript modules must. The compiler is asked for less than elsewhere. */
const asSource = (text) =>
  `// @ts-nocheck: made by scripts/generate-constructs.mjs. Do not edit.\n${text.trimStart()}`
    .replace(/(from '\.{1,2}\/[^']+?)(\/index)?'/g, "$1/index.ts'")
    .replace(/[ \t]+$/gm, '');

const filesIn = (folder) =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort()
    : [];

process.env.CHECKPOINT_DISABLE = '1';
const schema = schemaOfProvider();
const scratch = mkdtempSync(join(tmpdir(), 'keyplane-constructs-'));
try {
  for (const [cdk, generator] of Object.entries(GENERATORS)) {
    const made = await generate(generator, join(scratch, cdk), schema);
    const wanted = filesIn(made).filter((path) => !NOT_OURS.test(path));
    for (const path of wanted) settle(join(FOLDER, cdk, path), asSource(readFileSync(join(made, path), 'utf8')));
    for (const path of filesIn(resolve(root, FOLDER, cdk)).filter((each) => !wanted.includes(each))) {
      if (checking) process.exitCode = 1;
      else rmSync(resolve(root, FOLDER, cdk, path));
      process.stdout.write(
        `${join(FOLDER, cdk, path)} mirrors nothing: ${checking ? 'run `npm run generate`' : 'removed'}\n`,
      );
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
