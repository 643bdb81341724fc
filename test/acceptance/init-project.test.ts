import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PACKAGES } from '../../src/cli/render/initial/cdk.ts';
import { ROOT, readRoot } from '../architecture/repository.ts';
import { openPlace, type Place } from './place.ts';
import { openStack, skipWithoutTerraform } from './terraform/stack.ts';

const run = promisify(execFile);

/** What `npm install` would bring into the folder. */
async function install(folder: string, cdk: string): Promise<void> {
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
  for (const name of [cdk, 'constructs', '@types/node', 'tsx']) {
    await symlink(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  await symlink(ROOT, join(folder, 'node_modules/keyplane'));
}

describe('a project that init writes', () => {
  let place: Place;
  beforeEach(async () => {
    place = await openPlace();
  });
  afterEach(() => place.close());

  const init = async (...words: string[]) => {
    const ended = await place.run([
      'init',
      '--template',
      ...words,
      '--dir',
      'keys',
      '--url',
      place.url,
      '--user-id',
      '42',
    ]);
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };

  it('is planned as a manifest', async () => {
    expect(await init('yaml')).toContain('Next:\n  cd keys\n  export KEYPLANE_ACCESS_TOKEN=…');
    const { code, stdout } = await place.run(['plan', '-f', 'keys/keyplane.yaml']);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Plan: 2 to create.')]);
  });

  it('is planned by terraform', async (context) => {
    skipWithoutTerraform(context);
    const stack = await openStack(place, '');
    const said = await init('terraform');
    const steps = ['keyplane provider install', 'terraform init', 'terraform plan'];
    for (const step of steps) expect(said).toContain(`\n  ${step}`);
    await stack.write('main.tf', await place.read('keys/main.tf'));
    expect((await stack.run('fmt', '-check', '-diff')).stdout).toBe('');
    const { code, stdout, stderr } = await stack.run('plan');
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Plan: 2 to add, 0 to change, 0 to destroy.');
  });

  it.each(['cdktf', 'cdktn'])('is planned as a program of %s, which is typed', async (cdk) => {
    expect(await init('cdk', '--cdk', cdk)).toContain(
      '  npm install\n  npm run synth                   # writes cdktf.out\n',
    );
    const folder = join(place.folder, 'keys');
    await install(folder, cdk);
    await run(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
    const { scripts } = JSON.parse(await place.read('keys/package.json')) as { scripts: { synth: string } };
    expect(scripts.synth).toBe('tsx main.ts');
    await run(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'main.ts'], { cwd: folder });
    const { code, stdout, stderr } = await place.run(['plan', '-f', 'keys/cdktf.out']);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Plan: 2 to create.');
  });

  it('says how to rehearse, where no gateway was named', async () => {
    const { code, stdout } = await place.run(['init', '--template', 'yaml', '--dir', 'rehearsal']);
    expect(code).toBe(0);
    const commands = [
      'keyplane gateway --port 8787 --seed seed.yaml  # in another terminal, from here: a gateway to rehearse on',
      'export KEYPLANE_ACCESS_TOKEN=rehearsal-only',
      'keyplane plan',
    ];
    expect(stdout).toContain(`Next:\n  cd rehearsal\n  ${commands.join('\n  ')}`);
    expect(await place.read('rehearsal/README.md')).toContain(`\`\`\`sh\n${commands.join('\n')}\n\`\`\`\n`);
    const manifest = await place.read('rehearsal/keyplane.yaml');
    expect(manifest).toContain('url: "http://127.0.0.1:8787"');
    await place.write('planned.yaml', manifest.replace('http://127.0.0.1:8787', place.url));
    expect((await place.run(['plan', '-f', 'planned.yaml'])).stdout).toContain('2 to create');
  });

  it('touches nothing that is there, and writes nothing beside it', async () => {
    await mkdir(join(place.folder, 'keys'));
    await writeFile(join(place.folder, 'keys/README.md'), 'mine\n');
    const { code, stderr } = await place.run(['init', '--template', 'cdk', '--dir', 'keys']);
    expect([code, stderr]).toEqual([3, expect.stringContaining('README.md is there already; it was left as it is.')]);
    expect(await readdir(join(place.folder, 'keys'))).toEqual(['README.md']);
    expect(await readFile(join(place.folder, 'keys/README.md'), 'utf8')).toBe('mine\n');
  });

  it.each([
    [['--dir', 'keys'], '--dir is about projects.'],
    [['--cdk', 'cdktn'], '--cdk is about projects of CDK.'],
    [['--template', 'terraform', '--cdk', 'cdktn'], '--cdk is about projects of CDK.'],
    [['--template', 'yaml', '-f', 'x.yaml'], 'A project names its files itself.'],
  ])('refuses flags that mean nothing together: %j', async (words, message) => {
    const { code, stderr } = await place.run(['init', ...words]);
    expect([code, stderr]).toEqual([3, expect.stringContaining(message)]);
  });
});

it('a program of a new project has the packages that it is tested with', () => {
  const { devDependencies } = JSON.parse(readRoot('package.json')) as { devDependencies: Record<string, string> };
  for (const [name, version] of Object.entries(PACKAGES))
    expect([name, devDependencies[name]]).toEqual([name, version]);
});
