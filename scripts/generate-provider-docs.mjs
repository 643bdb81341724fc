// Writes docs/provider/ as registries want it, from the schema that the provider prints and from examples/provider/; with --check
// only compares. A thing without an example is an error, and so is an example of nothing. Needs a build.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checking, root, settle } from './generated-file.mjs';
import { unusedExamples } from './provider-docs/examples.mjs';
import { pagesOf } from './provider-docs/pages.mjs';

const FOLDER = 'docs/provider';

const schema = execFileSync(process.execPath, [resolve(root, 'dist/provider/provider.cjs'), 'schema'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const [provider] = Object.values(JSON.parse(schema).provider_schemas);
const pages = pagesOf(provider);
for (const [path, text] of pages) settle(join(FOLDER, path), text);

const found = existsSync(resolve(root, FOLDER)) ? readdirSync(resolve(root, FOLDER), { recursive: true }) : [];
for (const path of found.filter((each) => each.endsWith('.md') && !pages.has(each))) {
  if (checking) process.exitCode = 1;
  else rmSync(resolve(root, FOLDER, path));
  process.stdout.write(
    `${join(FOLDER, path)} is of nothing that there is: ${checking ? 'run `npm run generate`' : 'removed'}\n`,
  );
}

for (const path of unusedExamples()) {
  process.exitCode = 1;
  process.stdout.write(`${path} is shown on no page\n`);
}
