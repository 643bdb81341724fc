import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFile,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PROGRAM } from '../../script-words.ts';
import { ENGINE, type Ran, skipWithoutTerraform, versionOfEngine } from './stack.ts';

const HOSTS = ['registry.opentofu.org', 'registry.terraform.io'];
const STACK = `terraform {
  required_providers {
    keyplane = { source = "keyplane/keyplane" }
  }
}
output "units" { value = provider::keyplane::usd_to_quota(25.5) }
`;

const PROVIDER = resolve(import.meta.dirname, '../../../dist/provider/provider.cjs');

let folder = '';
beforeEach(async () => {
  // Its name has a space in it, as those of people do.
  folder = await realpath(await mkdtemp(join(tmpdir(), 'keyplane install-')));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const at = (...parts: readonly string[]): string => join(folder, ...parts);

async function run(program: string, words: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(program, words, {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: folder, NO_COLOR: '1', CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1' },
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output.stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output.stderr += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...output };
}

const keyplane = (...words: readonly string[]): Promise<Ran> => run(process.execPath, [PROGRAM, ...words]);
const terraform = (words: readonly string[], env?: Record<string, string>): Promise<Ran> =>
  run(ENGINE, [...words, '-no-color'], env);

/** Every file below a folder, with its bytes. */
async function fingerprint(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name));
  const prints = files.sort().map(async (file) => {
    const hash = createHash('sha256').update(await readFile(file));
    return `${file} ${hash.digest('hex')}`;
  });
  return await Promise.all(prints);
}

const installed = async (): Promise<{ version: string; folders: { folder: string; placed: string }[] }> =>
  JSON.parse((await keyplane('provider', 'install', '--format', 'json')).stdout).data;

/** The message when the shell that starts the provider finds no suitable Node.js. */
async function startedWith(bin: string): Promise<Ran> {
  const { folders, version } = await installed();
  return await run(join(folders[0]?.folder ?? '', `terraform-provider-keyplane_v${version}`), [], { PATH: bin });
}

describe('keyplane provider install', () => {
  it('writes the provider for the registries of both programs, whole, and again the same', async () => {
    const { code, stdout, stderr } = await keyplane('provider', 'install');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain('source  = "keyplane/keyplane"');
    expect((await readdir(at('terraform.d/plugins'))).sort()).toEqual(HOSTS);
    const before = await fingerprint(at('terraform.d'));
    const again = await installed();
    expect(again.folders.map(({ placed }) => placed)).toEqual(['unchanged', 'unchanged']);
    for (const { folder: place } of again.folders) {
      const names = ['LICENSES.txt', 'lib', 'provider.cjs', `terraform-provider-keyplane_v${again.version}`];
      expect((await readdir(place)).sort()).toEqual(names);
    }
    expect(await fingerprint(at('terraform.d'))).toEqual(before);
  });

  it('replaces another build of its version only on request, and keeps other versions', async () => {
    const { folders, version } = await installed();
    const [{ folder: place = '' } = {}] = folders;
    await appendFile(join(place, 'provider.cjs'), '// by hand\n');
    await mkdir(resolve(place, '../../0.0.0-older'));
    const refused = await keyplane('provider', 'install');
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('another build of version')]);
    const replaced = await keyplane('provider', 'install', '--yes');
    expect(replaced.stdout).toContain('(replaced)');
    expect(replaced.stdout).toContain('Other installed versions: 0.0.0-older.');
    expect(await readFile(join(place, 'provider.cjs'), 'utf8')).not.toContain('by hand');
    expect((await readdir(resolve(place, '../..'))).sort()).toEqual(['0.0.0-older', version]);
    expect((await readdir(resolve(place, '..'))).length).toBe(1);
  });

  it('goes into a project or into a mirror, for the platforms that are named', async () => {
    expect((await keyplane('provider', 'install', '--dir', 'a', '--mirror', 'b')).code).toBe(3);
    const words = ['--dir', 'a', '--platform', 'darwin_arm64', '--platform', 'linux_arm64', '--format', 'json'];
    const { stdout } = await keyplane('provider', 'install', ...words);
    const folders: { folder: string }[] = JSON.parse(stdout).data.folders;
    expect(folders.map(({ folder: place }) => place.replace(/.*plugins\/|\/keyplane.*\//g, ''))).toEqual([
      ...['registry.terraform.iodarwin_arm64', 'registry.terraform.iolinux_arm64'],
      ...['registry.opentofu.orgdarwin_arm64', 'registry.opentofu.orglinux_arm64'],
    ]);
  });

  it('reports which Node.js is missing where core shows it', async () => {
    await mkdir(at('bin'));
    const without = await startedWith(at('bin'));
    expect([without.code, without.stdout]).toEqual([1, expect.stringContaining('there is no node on the PATH')]);
    const found = `Object.defineProperty(process, 'versions', { value: { node: '18.20.0' } });`;
    await writeFile(at('old.cjs'), found);
    await writeFile(at('bin/node'), `#!/bin/sh\nexec '${process.execPath}' -r '${at('old.cjs')}' "$@"\n`);
    await chmod(at('bin/node'), 0o755);
    const old = await startedWith(at('bin'));
    expect([old.code, old.stdout]).toEqual([1, expect.stringContaining('the node on the PATH is 18.20.0')]);
  });

  it.each(['-version', '--version'])('prints its version for %s', async (flag) => {
    const { version } = await installed();
    const { stdout } = await run(process.execPath, [PROVIDER, flag]);
    expect(stdout).toBe(`terraform-provider-keyplane ${version}\n`);
  });

  it('starts through symbolic links', async () => {
    const { folders, version } = await installed();
    await symlink(join(folders[0]?.folder ?? '', `terraform-provider-keyplane_v${version}`), at('first'));
    await symlink('first', at('second'));
    const { stderr } = await run(at('second'), []);
    expect(stderr).toContain('provider for Terraform and OpenTofu');
  });
});

describe('terraform, after keyplane provider install', () => {
  beforeEach((context) => skipWithoutTerraform(context));

  it('finds the provider without configuration, and running it creates no file next to it', async () => {
    await keyplane('provider', 'install');
    await writeFile(at('main.tf'), STACK);
    const before = await fingerprint(at('terraform.d'));
    for (const words of [['init'], ['validate'], ['apply', '-auto-approve']]) {
      const { code, stderr } = await terraform(words);
      expect([words, code, stderr]).toEqual([words, 0, '']);
    }
    expect((await terraform(['output'])).stdout).toBe('units = 12750000\n');
    expect(await fingerprint(at('terraform.d'))).toEqual(before);
  });

  it('attaches to a provider that somebody debugs, without any installation', async () => {
    const debugged = spawn(process.execPath, [PROVIDER, '-debug'], { stdio: ['ignore', 'pipe', 'inherit'] });
    let printed = '';
    for await (const text of debugged.stdout.setEncoding('utf8')) {
      printed += text;
      if (printed.includes('Ctrl-C')) break;
    }
    const [, variable = ''] = /^export TF_REATTACH_PROVIDERS='(.*)'$/m.exec(printed) ?? [];
    await writeFile(at('main.tf'), STACK);
    for (const words of [['validate'], ['apply', '-auto-approve'], ['output']]) {
      const { code, stderr } = await terraform(words, { TF_REATTACH_PROVIDERS: variable });
      expect([words, code, stderr]).toEqual([words, 0, '']);
    }
    debugged.kill('SIGINT');
    expect(await once(debugged, 'close')).toEqual([0, null]);
  });

  it('finds it in a mirror that its configuration names', async () => {
    const { stdout } = await keyplane('provider', 'install', '--mirror', 'mirror');
    const block = /provider_installation \{[\s\S]*?\n {2}\}\n/.exec(stdout)?.[0] ?? '';
    await writeFile(at('cli.tfrc'), block);
    await writeFile(at('main.tf'), STACK);
    const { code, stderr } = await terraform(['init'], { TF_CLI_CONFIG_FILE: at('cli.tfrc') });
    expect([code, stderr]).toEqual([0, '']);
    expect((await terraform(['validate'])).code).toBe(0);
  });

  it('shows the schema that keyplane provider schema shows', async () => {
    await keyplane('provider', 'install');
    await writeFile(at('main.tf'), STACK);
    await terraform(['init']);
    const shown = (await run(ENGINE, ['providers', 'schema', '-json'])).stdout;
    // Each engine completes the address with its own registry.
    const theirs = JSON.parse(shown.replaceAll('registry.opentofu.org/', 'registry.terraform.io/'));
    const { stdout } = await keyplane('provider', 'schema');
    // What a core does not know yet it does not show.
    const { major, minor } = versionOfEngine();
    const since = { resource_identity_schemas: 12, list_resource_schemas: 14, action_schemas: 14 };
    const ours = JSON.parse(stdout);
    for (const shown of Object.values<Record<string, unknown>>(ours.provider_schemas)) {
      for (const [field, first] of Object.entries(since)) if (major === 1 && minor < first) delete shown[field];
    }
    expect(ours).toEqual(theirs);
  });
});
