import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from './architecture/repository.ts';
import { copyRepository, type RepositoryCopy } from './field-row/copy.ts';
import { scriptWords } from './script-words.ts';

const runFile = promisify(execFile);

/** A new flag. Nothing else in the copy knows it. */
const ROW = `  logPrompts: {
    kind: 'flag',
    terraform: 'log_prompts',
    wire: { at: 'log_prompts' },
    label: 'prompt logging',
    initial: false,
    doc: 'Set to true to log prompts.',
  },
`;

const ACCOUNT = { userId: 42, username: 'platform', accessToken: 'field-row-token', quota: 500_000_000 };

interface Gateway {
  readonly url: string;
  close(): Promise<void>;
}

let copy: RepositoryCopy;
let gateway: Gateway;

beforeAll(async () => {
  copy = copyRepository();
  copy.edit('src/domain/key/fields.ts', '  models: {\n', `${ROW}  models: {\n`);
  await copy.build();
  await mkdir(join(copy.folder, 'work'));
  const path = join(copy.folder, 'dist/src/reference/index.js');
  const { startReferenceGateway } = (await import(path)) as typeof import('../src/reference/index.ts');
  gateway = await startReferenceGateway({ seed: { accounts: [ACCOUNT] } });
});

afterAll(async () => {
  await gateway?.close();
  copy?.remove();
});

const environment = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: join(copy.folder, 'work'),
  NO_COLOR: '1',
  KEYPLANE_URL: gateway.url,
  KEYPLANE_USER_ID: String(ACCOUNT.userId),
  KEYPLANE_ACCESS_TOKEN: ACCOUNT.accessToken,
});

const write = (name: string, text: string): Promise<void> => writeFile(join(copy.folder, 'work', name), text);

/** Runs the program of the copy, and returns its standard output. */
async function keyplane(...words: readonly string[]): Promise<string> {
  const program = join(copy.folder, 'dist/cli/main.js');
  const options = { cwd: join(copy.folder, 'work'), env: environment() };
  return (await runFile(process.execPath, [program, ...words], options)).stdout;
}

/** Returns a key's record from the gateway. */
async function recordOf(name: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const headers = { authorization: `Bearer ${ACCOUNT.accessToken}`, 'new-api-user': String(ACCOUNT.userId) };
  const answer = await fetch(`${gateway.url}/api/token/?size=100`, { headers });
  const { data } = (await answer.json()) as { data: { items: readonly Readonly<Record<string, unknown>>[] } };
  return data.items.find((record) => record.name === name);
}

const manifest = (name: string, logPrompts: boolean): string =>
  `version: 1\nkeys:\n  ${name}:\n    budget: unlimited\n    logPrompts: ${logPrompts}\n`;

const terraformJson = (name: string): string =>
  JSON.stringify({
    terraform: { required_providers: { keyplane: { source: 'keyplane/keyplane' } } },
    resource: { keyplane_api_key: { a: { name, budget: { unlimited: true }, log_prompts: true } } },
  });

const program = (name: string): string => `import { App, TerraformStack } from 'cdktf';
import { ApiKey, KeyplaneProvider } from 'keyplane/constructs/cdktf';

const app = new App({ outdir: 'construct.out' });
const stack = new TerraformStack(app, 'stack');
new KeyplaneProvider(stack, 'keyplane', { url: '${gateway.url}', userId: ${ACCOUNT.userId} });
new ApiKey(stack, 'key', { name: '${name}', budget: 'unlimited', logPrompts: true });
app.synth();
`;

describe('a new row in the field table, without any other edit', () => {
  it('carries the field from a manifest to the gateway, and a change of it', async () => {
    await write('a.yaml', manifest('from-manifest', true));
    expect(await keyplane('plan', '-f', 'a.yaml')).toContain('prompt logging');
    await keyplane('apply', '-f', 'a.yaml', '--yes');
    expect(await recordOf('from-manifest')).toMatchObject({ log_prompts: true });
    expect(await keyplane('plan', '-f', 'a.yaml')).not.toContain('prompt logging');
    await write('a.yaml', manifest('from-manifest', false));
    expect(await keyplane('plan', '-f', 'a.yaml')).toContain('prompt logging');
    await keyplane('apply', '-f', 'a.yaml', '--yes');
    expect(await recordOf('from-manifest')).toMatchObject({ log_prompts: false });
  });

  it('carries the field from a saved plan to the gateway', async () => {
    await write('b.yaml', manifest('from-saved-plan', true));
    await keyplane('plan', '-f', 'b.yaml', '--out', 'b.plan');
    await keyplane('apply', 'b.plan', '-f', 'b.yaml', '--yes');
    expect(await recordOf('from-saved-plan')).toMatchObject({ log_prompts: true });
  });

  it('carries the field from Terraform JSON to the gateway', async () => {
    await write('c.tf.json', terraformJson('from-terraform-json'));
    await keyplane('apply', '-f', 'c.tf.json', '--yes');
    expect(await recordOf('from-terraform-json')).toMatchObject({ log_prompts: true });
  });

  it('carries the field from a construct, whose type has it, to the gateway', async () => {
    await write('program.ts', program('from-construct'));
    const config = { extends: '../tsconfig.json', include: ['program.ts'] };
    await write('tsconfig.json', JSON.stringify(config));
    const options = { cwd: join(copy.folder, 'work'), env: environment() };
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    const checked = await runFile(process.execPath, [compiler, '-p', '.'], options).catch((error) => error);
    expect(checked.stdout).toBe('');
    const [flag = '', loader = ''] = scriptWords('');
    await runFile(process.execPath, [flag, loader, 'program.ts'], options);
    await keyplane('apply', '-f', 'construct.out', '--yes');
    expect(await recordOf('from-construct')).toMatchObject({ log_prompts: true });
  });

  it('reads the field back from the gateway into each language and the output', async () => {
    await write('d.yaml', manifest('read-back', true));
    await keyplane('apply', '-f', 'd.yaml', '--yes');
    const shown = JSON.parse(await keyplane('keys', 'get', 'read-back', '--format', 'json')) as object;
    expect(JSON.stringify(shown)).toContain('"logPrompts":true');
    expect(await keyplane('keys', 'get', 'read-back')).toContain('prompt logging');
    expect(await keyplane('import')).toContain('logPrompts: true');
    expect(await keyplane('import', '--to', 'hcl')).toMatch(/log_prompts\s+= true/);
    expect(await keyplane('import', '--to', 'hcl-json')).toContain('"log_prompts": true');
    expect(await keyplane('import', '--to', 'cdk')).toContain('logPrompts: true');
  });

  it('is part of the schema of manifests and of the provider', async () => {
    expect(await keyplane('schema')).toContain('"logPrompts"');
    expect(await keyplane('provider', 'schema')).toContain('"log_prompts"');
  });
});
