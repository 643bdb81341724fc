// Writes the package `@keyplane/constructs` to `dist-constructs/`: the constructs alone, without the command line, the gateway
// client and their native packages. --out DIR selects another folder. Needs a build.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { CDKS, type Cdk } from './constructs/compile.ts';

interface Description {
  readonly [field: string]: unknown;
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const root = resolve(import.meta.dirname, '..');
const built = join(root, 'dist/constructs');
const { values: given } = parseArgs({ options: { out: { type: 'string' } } });
const out = resolve(given.out ?? join(root, 'dist-constructs'));
const whole = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Description;

const NAME = '@keyplane/constructs';

/** CDK Terrain accepts no newer one. As a peer that is not optional, npm installs one that fits. */
const CONSTRUCTS = '>=10.4.2 <10.8.0';

const README = `# ${NAME}

The keys of an LLM gateway as constructs for CDK Terrain (\`cdktn\`) and for its predecessor \`cdktf\`: the entries
\`keyplane/constructs/cdktf\` and \`keyplane/constructs/cdktn\` of the package \`keyplane\`, alone.

\`\`\`typescript
import { ApiKey, KeyplaneProvider } from '${NAME}/cdktn';   // or /cdktf
\`\`\`

Terraform needs the provider of the same version, which is in the package \`keyplane\`. The documentation is in that package too: \`docs/constructs.md\`.
`;

const doors = (cdk: Cdk) => [
  { path: cdk, file: 'constructs/cdk/index' },
  { path: `${cdk}/provider`, file: `constructs/gen/${cdk}/index` },
];

const exportsOf = (cdk: Cdk) =>
  doors(cdk).map(({ path, file }) => [`./${path}`, { types: `./${cdk}/${file}.d.ts`, default: `./${cdk}/${file}.js` }]);

function describePackage(): object {
  const { version, license, engines, dependencies, peerDependencies } = whole;
  const { cdktf = '' } = peerDependencies;
  return {
    name: NAME,
    version,
    description: 'The API keys of an LLM gateway as constructs for CDK Terrain and cdktf.',
    license,
    type: 'commonjs',
    engines,
    exports: Object.fromEntries([...CDKS.flatMap(exportsOf), ['./package.json', './package.json']]),
    dependencies: { 'ipaddr.js': dependencies['ipaddr.js'] },
    // Not cdktn: npm would resolve it for apps of cdktf too, and its demands on `constructs` exclude versions that those accept.
    peerDependencies: { cdktf, constructs: CONSTRUCTS },
    peerDependenciesMeta: { cdktf: { optional: true } },
  };
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** Texts name the package that they are in. */
function rename(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(js|d\.ts)$/.test(path)) continue;
    const file = join(folder, path);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<![@\w])keyplane\/constructs\//g, `${NAME}/`));
  }
}

/** Compilers that do not read `exports` look for a folder with a description. */
function describeFolders(cdk: Cdk): void {
  const [main, provider] = doors(cdk);
  const of = (file = '') => json({ type: 'commonjs', main: `./${file}.js`, types: `./${file}.d.ts` });
  writeFileSync(join(out, cdk, 'package.json'), of(main?.file));
  mkdirSync(join(out, cdk, 'provider'));
  writeFileSync(join(out, cdk, 'provider/package.json'), of(`../${provider?.file}`));
}

if (!existsSync(built)) throw new Error('there are no constructs in dist/: run `npm run build` first');
rmSync(out, { recursive: true, force: true });
for (const cdk of CDKS) {
  cpSync(join(built, cdk), join(out, cdk), { recursive: true });
  rename(join(out, cdk));
  describeFolders(cdk);
}
cpSync(join(root, 'LICENSE'), join(out, 'LICENSE'));
writeFileSync(join(out, 'README.md'), README);
writeFileSync(join(out, 'package.json'), json(describePackage()));
process.stdout.write(`wrote ${out}\n`);
