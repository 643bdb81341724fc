import { shellWord } from '../layout/printable.ts';
import { accountOf, completed, GATEWAY, type NextStep, type Project, type ProjectInput } from './project.ts';

/** The packages that a program needs in addition to Keyplane, in the versions that are tested with it. */
export const PACKAGES = {
  cdktf: '0.21.0',
  cdktn: '0.24.0',
  constructs: '10.7.0',
  '@types/node': '20.19.43',
  tsx: '4.23.15',
  typescript: '5.9.3',
  libsql: '0.5.29',
} as const;

/** No registry has the package: a project keeps it, and installs no other one of this name. */
const packOf = ({ packageFolder, version }: ProjectInput): NextStep => ({
  command: `npm pack --ignore-scripts ${shellWord(packageFolder)}`,
  about: `writes ${tarballOf(version)}, which belongs to the project`,
});
const FIRST = [{ command: 'npm install' }];
const STEPS = [{ command: 'npm run plan', about: 'writes cdktf.out; does not need Terraform' }];

const README = `
\`keys.ts\` declares the keys, \`main.ts\` contains the rules for all keys, and \`keys.test.ts\` tests the keys without a gateway.

## Apply

\`\`\`sh
npm run apply
npm run check  # a real request with each key that has a check
\`\`\`

## Test

\`\`\`sh
npm test
\`\`\`

## With Terraform instead

Let one of the two apply the keys:

\`\`\`sh
npx --no-install keyplane provider install --mirror ~/.terraform.d/plugins
npm run synth
terraform -chdir=cdktf.out/stacks/keys init
terraform -chdir=cdktf.out/stacks/keys apply
\`\`\`

## Read on

They come with the package: [constructs](node_modules/keyplane/docs/constructs.md), [what is read of cdktf.out](node_modules/keyplane/docs/synthesized.md),
[checks](node_modules/keyplane/docs/checks.md), [Terraform](node_modules/keyplane/docs/terraform.md), and [the way to another language](node_modules/keyplane/docs/convert.md).
`;

const tarballOf = (version: string): string => `keyplane-${version}.tgz`;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const onOutput = (command: string): string => `npm run synth && keyplane ${command} -f cdktf.out`;

const packageFile = ({ cdk, url, version }: ProjectInput): string =>
  json({
    name: 'keys',
    private: true,
    type: 'module',
    scripts: {
      ...(url === undefined ? { gateway: `keyplane ${GATEWAY}` } : {}),
      // What runs a program does not look at its types, and a property that is misspelled is none.
      synth: 'tsc --noEmit && tsx main.ts',
      plan: onOutput('plan'),
      apply: onOutput('apply'),
      check: onOutput('check'),
      test: 'tsc --noEmit && node --import tsx --test *.test.ts',
    },
    dependencies: { [cdk]: PACKAGES[cdk], constructs: PACKAGES.constructs, keyplane: `file:${tarballOf(version)}` },
    devDependencies: {
      '@types/node': PACKAGES['@types/node'],
      // The ledger of the reference gateway.
      ...(url === undefined ? { libsql: PACKAGES.libsql } : {}),
      tsx: PACKAGES.tsx,
      typescript: PACKAGES.typescript,
    },
  });

const COMPILER = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    types: ['node'],
  },
  include: ['*.ts'],
};

const imports = (cdk: string): string => `import { TerraformStack } from '${cdk}';
import type { Construct } from 'constructs';
import { ApiKey, KeyplaneProvider, SmokeCheck } from 'keyplane/constructs/${cdk}';

const ADDRESSES = ['127.0.0.1', '10.0.0.0/8'];
const END = `;

const stack = ({ url, userId }: ReturnType<typeof accountOf>): string => `export class Keys extends TerraformStack {
  constructor(scope: Construct, id: string) {
    super(scope, id);
    new KeyplaneProvider(this, 'keyplane', { url: '${url}', userId: ${userId} });

    const checkout = new ApiKey(this, 'checkout', {
      name: 'prod-checkout',
      models: ['alpha-chat-1'],
      allowIps: ADDRESSES,
      expires: END,
      budget: { usd: 25, per: 'month' },
      preventDestroy: true,
    });
    new SmokeCheck(checkout, 'pong', { key: checkout, module: 'chat', expect: { maxLatencyMs: 10_000 } });

    new ApiKey(this, 'search', {
      name: 'prod-search',
      models: ['text-embedding-3-small'],
      allowIps: ADDRESSES,
      expires: END,
      budget: { usd: 10 },
    });
  }
}
`;

const program = (cdk: string): string => `import { App, Aspects } from '${cdk}';
import { RequireBudget, RequireExpiry } from 'keyplane/constructs/${cdk}';
import { Keys } from './keys.ts';

const app = new App();
new Keys(app, 'keys');

// What holds for every key of the app: one that breaks it is not synthesized.
Aspects.of(app).add(new RequireExpiry());
Aspects.of(app).add(new RequireBudget({ atMost: { usd: 100 } }));
app.synth();
`;

const keys = (input: ProjectInput): string =>
  [`${imports(input.cdk)}'${input.expires}';\n`, stack(accountOf(input))].join('\n');

const test = ({ cdk, year }: ProjectInput): string => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KeyplaneTesting } from 'keyplane/constructs/${cdk}';
import { Keys } from './keys.ts';

test('the keys can be synthesized, and each may use one model', () => {
  const app = KeyplaneTesting.app('${year}-01-01T00:00:00Z');
  const stack = new Keys(app, 'keys');
  assert.deepEqual(KeyplaneTesting.problems(app), []);
  assert.deepEqual(KeyplaneTesting.key(stack, 'prod-checkout').attributes.models, ['alpha-chat-1']);
  assert.deepEqual(KeyplaneTesting.key(stack, 'prod-search').attributes.models, ['text-embedding-3-small']);
});
`;

/** A program for one of the two CDKs: two keys, a check, and what is required of every key. */
export function cdkProject(input: ProjectInput): Project {
  const files = {
    'keys.ts': keys(input),
    'main.ts': program(input.cdk),
    'keys.test.ts': test(input),
    'package.json': packageFile(input),
    'tsconfig.json': json(COMPILER),
    'cdktf.json': json({ language: 'typescript', app: 'npm run --silent synth', sendCrashReports: 'false' }),
    '.gitignore': 'node_modules/\ncdktf.out/\n*.tfstate\n*.tfstate.*\n',
  };
  return completed(
    {
      title: 'The keys of an LLM gateway, as a program.',
      files,
      once: [packOf(input)],
      first: FIRST,
      gateway: 'npm run gateway',
      steps: STEPS,
      more: README,
    },
    input,
  );
}
