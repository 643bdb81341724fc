import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');

const LICENCE_FILE = /^(licen[cs]e|copying)([.-][\w.-]+)?$/i;

/** The folder of the package that a path is in. During a build, `dist` is in a cache below `node_modules`. */
const PACKAGE = /^(?:.*\/)?node_modules\/(?!\.)(?:@[^/]+\/)?[^/]+/;

interface Description {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Description;
  const file = readdirSync(folder).find((each) => LICENCE_FILE.test(each));
  const text =
    file === undefined
      ? 'Its package does not include the text of the licence.'
      : readFileSync(join(folder, file), 'utf8');
  const source = `https://www.npmjs.com/package/${name}/v/${version}`;
  return `${name} ${version} (${license})\n${source}\n\n${text.trim()}\n`;
}

/** Returns the licences of Keyplane and of all packages that these files belong to, by name. */
export function licencesOf(files: readonly string[]): string {
  const folders = files.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []);
  const own = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  const texts = [...new Set(folders)].sort().map(licenceOf);
  return [`keyplane\n\n${own}\n`, ...texts].join(`\n${'-'.repeat(80)}\n\n`);
}
