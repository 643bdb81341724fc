import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PACKAGES } from '../../src/cli/output/initial/cdk.ts';
import { ROOT, readRoot } from '../architecture/repository.ts';
import { openPlace, type Place } from './place.ts';
import { skipWithoutTerraform } from './terraform/stack.ts';

/** Ours is newer than the one that a new project gets. */
const TYPESCRIPT = dirname(
  createRequire(join(ROOT, 'node_modules/@cdktn/provider-generator/package.json')).resolve('typescript/package.json'),
);

/** The packages that `npm install` would install. */
async function install(folder: string): Promise<void> {
  const modules = join(folder, 'node_modules');
  await mkdir(join(modules, '@types'), { recursive: true });
  await mkdir(join(modules, '.bin'));
  for (const name of ['cdktf', 'cdktn', 'constructs', '@types/node', 'tsx']) {
    await symlink(join(ROOT, 'node_modules', name), join(modules, name));
  }
  await symlink(TYPESCRIPT, join(modules, 'typescript'));
  await symlink(ROOT, join(modules, 'keyplane'));
  const programs = { keyplane: 'keyplane/dist/cli/main.js', tsc: 'typescript/bin/tsc', tsx: 'tsx/dist/cli.mjs' };
  for (const [name, program] of Object.entries(programs))
    await writeShim(join(modules, '.bin', name), join(modules, program));
}

async function writeShim(path: string, program: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  await chmod(path, 0o755);
}

/** Makes the package that the project keeps. Nothing is installed by its name, which no registry has. */
const PACK = `npm pack --ignore-scripts ${ROOT}`;

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('it has no port');
  return address.port;
}

/** A shell in which somebody types the printed commands. */
function openShell(home: string) {
  const env: Record<string, string> = {
    // Where a clone is in use, its alias is the command.
    PATH: `${home}:${process.env.PATH}`,
    HOME: home,
    NO_COLOR: '1',
    CHECKPOINT_DISABLE: '1',
  };
  let cwd = home;
  const other: { readonly end: () => Promise<void> }[] = [];
  const start = (command: string) =>
    spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  return {
    /** The output of the command. */
    async type(command: string): Promise<string> {
      const [, name, value] = /^export (\w+)=(\S+)$/.exec(command) ?? [];
      if (name !== undefined && value !== undefined) env[name] = value;
      else if (command.startsWith('cd ')) cwd = join(cwd, command.slice('cd '.length));
      else if (command === 'npm install') await install(cwd);
      else if (command === PACK) return '';
      else return await run(command);
      return '';
    },
    /** In another terminal: until a line of it holds this. */
    async keep(command: string, output: string): Promise<void> {
      const child = start(command);
      const ended = once(child, 'close');
      other.push({
        end: async () => {
          if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
          await ended;
        },
      });
      for await (const line of createInterface({ input: child.stdout })) if (line.includes(output)) return;
      throw new Error(`${command} never printed ${output}`);
    },
    close: () => Promise.all(other.map(({ end }) => end())),
  };

  async function run(command: string): Promise<string> {
    const child = start(command);
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (printed += chunk));
    const [code] = await once(child, 'close');
    expect(code, `${command}\n${printed}`).toBe(0);
    return printed;
  }
}

describe('a project that init writes', () => {
  let place: Place;
  let shell: ReturnType<typeof openShell>;
  beforeEach(async () => {
    place = await openPlace();
    shell = openShell(place.folder);
    await writeShim(join(place.folder, 'keyplane'), join(ROOT, 'dist/cli/main.js'));
  });
  afterEach(async () => {
    await shell.close();
    await place.close();
  });

  /** Writes a project, and does what is printed as it is printed, but for the port. Gives back what the last step prints. */
  async function follow(words: readonly string[], and: readonly string[] = []): Promise<string> {
    const { code, stdout, stderr } = await place.run(['init', '--template', ...words, '--dir', 'keys'], { bare: true });
    expect(code, stderr).toBe(0);
    const folder = join(place.folder, 'keys');
    const port = String(await freePort());
    for (const name of await readdir(folder)) {
      const file = join(folder, name);
      await writeFile(file, (await readFile(file, 'utf8')).replaceAll('8787', port));
    }
    const steps = (stdout.split('Next:\n')[1] ?? '').trim().split(/\s*\n\s*/);
    let printed = '';
    for (const step of [...steps, ...and]) {
      const [command = '', remark = ''] = step.replaceAll('8787', port).split(/\s+# /);
      if (remark.startsWith('in another terminal')) await shell.keep(command, 'Reference gateway at');
      else printed = await shell.type(command);
    }
    return printed;
  }

  it('is planned as a manifest', async () => {
    expect(await follow(['yaml'])).toContain('Plan: 2 to create.');
  });

  it('is planned by terraform', async (context) => {
    skipWithoutTerraform(context);
    expect(await follow(['terraform'], ['terraform fmt -check -diff', 'terraform plan -no-color'])).toContain(
      'Plan: 2 to add, 0 to change, 0 to destroy.',
    );
  });

  it('is planned, applied and tested as a program of cdktf', async () => {
    expect(await follow(['cdk', '--cdk', 'cdktf'])).toContain('Plan: 2 to create.');
    expect(await shell.type('npm run apply -- --yes')).toContain('Apply: 2 applied.');
    expect(await shell.type('npm run check')).toContain('1 passed');
    expect(await shell.type('npm test')).toMatch(/pass 1\b/);
  });

  it('is planned and tested as a program of cdktn, and applied by terraform as its README describes', async (context) => {
    expect(await follow(['cdk', '--cdk', 'cdktn'])).toContain('Plan: 2 to create.');
    expect(await shell.type('npm test')).toMatch(/pass 1\b/);
    skipWithoutTerraform(context);
    const [, steps = ''] =
      /## With Terraform instead[\s\S]*?```sh\n([\s\S]*?)\n```/.exec(await place.read('keys/README.md')) ?? [];
    let printed = '';
    for (const step of steps.split('\n'))
      printed = await shell.type(step.replace(/ apply$/, ' apply -auto-approve -no-color'));
    expect(printed).toContain('Apply complete! Resources: 2 added');
  });

  it('does not synthesize a property that is misspelled', async () => {
    await place.run(['init', '--template', 'cdk', '--dir', 'keys']);
    const program = await place.read('keys/keys.ts');
    await place.write('keys/keys.ts', program.replace('allowIps: ADDRESSES', 'allowIp: ADDRESSES'));
    await shell.type('cd keys');
    await shell.type('npm install');
    expect(await shell.type('npm run synth || true')).toContain("'allowIp' does not exist");
    expect(await readdir(join(place.folder, 'keys'))).not.toContain('cdktf.out');
  });

  it('is for the gateway that was named', async () => {
    const words = ['--dir', 'keys', '--url', place.url, '--user-id', '42'];
    const { stdout } = await place.run(['init', '--template', 'cdk', ...words]);
    expect(stdout.replaceAll(/ +# .*/g, '')).toContain(
      `Next:\n  cd keys\n  ${PACK}\n  npm install\n  export KEYPLANE_URL=${place.url}\n`,
    );
    expect(await place.read('keys/keys.ts')).toContain(`{ url: '${place.url}', userId: 42 }`);
    expect(await place.read('keys/package.json')).not.toContain('gateway');
    expect(await readdir(join(place.folder, 'keys'))).not.toContain('seed.yaml');
  });

  it('explains how to rehearse when no gateway was named', async () => {
    const { code, stdout } = await place.run(['init', '--template', 'yaml', '--dir', 'rehearsal']);
    expect(code).toBe(0);
    const commands = [
      'keyplane gateway --port 8787 --seed seed.yaml  # in another terminal, in this folder: a gateway to rehearse on',
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
});

it('a program of a new project has the packages that it is tested with', () => {
  const { devDependencies } = JSON.parse(readRoot('package.json')) as { devDependencies: Record<string, string> };
  const { version: typescript } = JSON.parse(readFileSync(join(TYPESCRIPT, 'package.json'), 'utf8')) as {
    version: string;
  };
  for (const [name, version] of Object.entries(PACKAGES))
    expect([name, { ...devDependencies, typescript }[name]]).toEqual([name, version]);
});

it('a program of a new project is installed from the package that is made as printed', async () => {
  const place = await openPlace();
  try {
    await place.run(['init', '--template', 'cdk', '--dir', 'keys']);
    const folder = join(place.folder, 'keys');
    const { dependencies } = JSON.parse(await place.read('keys/package.json')) as {
      dependencies: { keyplane: string };
    };
    const made = spawn('sh', ['-c', PACK], { cwd: folder, env: { PATH: process.env.PATH ?? '', HOME: place.folder } });
    expect(await once(made, 'close')).toEqual([0, null]);
    expect((await readdir(folder)).map((name) => `file:${name}`)).toContain(dependencies.keyplane);
    expect(await place.read('keys/README.md')).not.toContain('npm pack');
  } finally {
    await place.close();
  }
});
