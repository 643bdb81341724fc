import { accountOf, completed, type Project, type ProjectInput } from './project.ts';

/** The packages that a program needs beside Keyplane, as they are tested with it. */
export const PACKAGES = {
  cdktf: '0.21.0',
  cdktn: '0.24.0',
  constructs: '10.7.0',
  '@types/node': '20.19.43',
  tsx: '4.23.15',
} as const;

const STEPS = [
  { command: 'npm install' },
  { command: 'npm run synth', says: 'writes cdktf.out' },
  { command: 'npx keyplane plan -f cdktf.out', says: 'no Terraform is needed' },
];

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const packageFile = ({ cdk, version }: ProjectInput): string =>
  json({
    name: 'keys',
    private: true,
    type: 'module',
    scripts: { synth: 'tsx main.ts' },
    dependencies: { [cdk]: PACKAGES[cdk], constructs: PACKAGES.constructs, keyplane: version },
    devDependencies: { '@types/node': PACKAGES['@types/node'], tsx: PACKAGES.tsx },
  });

const COMPILER = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: ['node'],
  },
  include: ['*.ts'],
};

const imports = (cdk: string): string => `import { App, Aspects, TerraformStack } from '${cdk}';
import type { Construct } from 'constructs';
import { ApiKey, KeyplaneProvider, RequireBudget, RequireExpiry, SmokeCheck } from 'keyplane/constructs/${cdk}';

const ADDRESSES = ['127.0.0.1', '10.0.0.0/8'];
const END = `;

const stack = ({ url, userId }: ReturnType<typeof accountOf>): string => `class Keys extends TerraformStack {
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

const APP = `const app = new App();
new Keys(app, 'keys');

// What holds for every key of the app: one that breaks it is not synthesized.
Aspects.of(app).add(new RequireExpiry());
Aspects.of(app).add(new RequireBudget({ atMost: { usd: 100 } }));
app.synth();
`;

const program = (input: ProjectInput): string =>
  [`${imports(input.cdk)}'${input.expires}';\n`, stack(accountOf(input)), APP].join('\n');

/** A program for one of the two CDKs: two keys, a check, and what is required of every key. */
export function cdkProject(input: ProjectInput): Project {
  const files = {
    'main.ts': program(input),
    'package.json': packageFile(input),
    'tsconfig.json': json(COMPILER),
    'cdktf.json': json({ language: 'typescript', app: 'npm run --silent synth', sendCrashReports: 'false' }),
    '.gitignore': 'node_modules/\ncdktf.out/\n*.tfstate\n*.tfstate.*\n',
  };
  return completed('The keys of an LLM gateway, as a program.', { files, steps: STEPS }, input);
}
