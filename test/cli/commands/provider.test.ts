import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  installPackage,
  otherVersions,
  outcomeOf,
  type ProviderInstallation,
} from '../../../src/cli/commands/provider/installation.ts';
import { platformOf } from '../../../src/cli/commands/provider/platforms.ts';
import { renderInstalled } from '../../../src/cli/output/installed-provider.ts';

describe('the platform of a machine', () => {
  it('has the name that Terraform gives it', () => {
    expect(platformOf({ platform: 'linux', arch: 'x64' })).toBe('linux_amd64');
    expect(platformOf({ platform: 'darwin', arch: 'arm64' })).toBe('darwin_arm64');
  });

  it('is refused where no shell starts the provider', () => {
    expect(() => platformOf({ platform: 'win32', arch: 'x64' })).toThrow(/does not run on Windows/);
  });
});

describe('a package of the provider', () => {
  let root = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'keyplane-installation-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  const installation = (text: string): ProviderInstallation => ({
    folder: join(root, '1.2.3/linux_amd64'),
    version: '1.2.3',
    files: new Map([
      ['terraform-provider-keyplane_v1.2.3', Buffer.from('#!/bin/sh\n')],
      ['lib/main.mjs', Buffer.from(text)],
    ]),
  });

  it('is placed whole, and then is unchanged, or replaced by another', async () => {
    expect(await outcomeOf(installation('one'))).toBe('written');
    await installPackage(installation('one'));
    const { mode } = await stat(join(root, '1.2.3/linux_amd64/terraform-provider-keyplane_v1.2.3'));
    expect(mode & 0o777).toBe(0o755);
    expect([await outcomeOf(installation('one')), await outcomeOf(installation('two'))]).toEqual([
      'unchanged',
      'replaced',
    ]);
    await installPackage(installation('two'));
    expect(await readFile(join(root, '1.2.3/linux_amd64/lib/main.mjs'), 'utf8')).toBe('two');
    expect(await readdir(join(root, '1.2.3'))).toEqual(['linux_amd64']);
  });

  it('leaves nothing behind when it cannot be placed', async () => {
    await writeFile(join(root, '1.2.3'), 'in the way');
    await expect(installPackage(installation('one'))).rejects.toMatchObject({ code: 'file.unwritable' });
    expect(await readdir(root)).toEqual(['1.2.3']);
  });

  it('lists the other installed versions', async () => {
    for (const name of ['0.9.0', '1.2.3', '2.0.0', '.new-x']) await mkdir(join(root, name));
    expect(await otherVersions(installation('one'))).toEqual(['0.9.0', '2.0.0']);
  });
});

describe('the text after an installation', () => {
  const written = [{ folder: 'a', placed: 'written' }];

  it('names the next step', () => {
    const text = renderInstalled({ version: '1.2.3', folders: written, otherVersions: [], mirror: undefined });
    expect(text).toContain('version = "1.2.3"');
    expect(text).not.toContain('provider_installation');
    expect(text.split('\n').at(-1)).toBe('Then: terraform init   (or: tofu init)');
  });

  it('explains how to configure a mirror, and lists other versions', () => {
    const text = renderInstalled({
      version: '1.2.3',
      folders: written,
      otherVersions: ['1.0.0'],
      mirror: '/opt/a "b"',
    });
    expect(text).toContain('path    = "/opt/a \\"b\\""');
    expect(text).toContain('Other installed versions: 1.0.0');
    expect(text).toContain('terraform init -upgrade');
  });
});
