import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT } from '../../architecture/repository.ts';
import { scriptWords } from '../../script-words.ts';
import { ENGINE, skipWithoutTerraform } from './stack.ts';

const HOSTS = ['terraform.io', 'opentofu.org'].map((host) => `mirror/registry.${host}/keyplane/keyplane`);
const PLATFORMS = ['darwin_amd64', 'darwin_arm64', 'linux_amd64', 'linux_arm64'];
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyplane-packages-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function build(name: string, zone: string): string {
  const out = join(folder, name);
  execFileSync(process.execPath, [...scriptWords('scripts/build-provider.ts'), '--out', out], {
    env: { PATH: process.env.PATH ?? '', TZ: zone },
  });
  return out;
}

const terraform = (...words: readonly string[]) =>
  spawnSync(ENGINE, [...words, '-no-color'], {
    cwd: folder,
    env: {
      ...{ PATH: process.env.PATH ?? '', HOME: folder, CHECKPOINT_DISABLE: '1' },
      TF_CLI_CONFIG_FILE: join(folder, 'cli.tfrc'),
    },
    encoding: 'utf8',
  });

describe('the packages for registries', () => {
  it('have the names that registries want, checksums that hold, and the same bytes each time', () => {
    const [first, second] = [build('first', 'UTC'), build('second', 'Asia/Tokyo')];
    const [zips, named] = [PLATFORMS.map((platform) => `${platform}.zip`), `terraform-provider-keyplane_${version}_`];
    expect(readdirSync(first).sort()).toEqual(['SHA256SUMS', ...zips, 'manifest.json'].map((rest) => named + rest));
    for (const name of readdirSync(first)) {
      expect(readFileSync(join(first, name)).equals(readFileSync(join(second, name))), name).toBe(true);
    }
    const sums = readFileSync(join(first, `${named}SHA256SUMS`), 'utf8');
    expect(sums).toMatch(new RegExp(`^[0-9a-f]{64}  ${named}manifest\\.json$`, 'm'));
    const checked = spawnSync('sha256sum', ['--check', `${named}SHA256SUMS`], { cwd: first });
    if (!checked.error) expect(checked.status).toBe(0);
    expect(JSON.parse(readFileSync(join(first, `${named}manifest.json`), 'utf8'))).toEqual({
      version: 1,
      metadata: { protocol_versions: ['6.0'] },
    });
  });

  it('are unpacked by terraform, which then plans with what is in them', (context) => {
    skipWithoutTerraform(context);
    const out = build('packages', 'UTC');
    const zips = readdirSync(out).filter((name) => name.endsWith('.zip'));
    for (const host of HOSTS) {
      mkdirSync(join(folder, host), { recursive: true });
      for (const zip of zips) copyFileSync(join(out, zip), join(folder, host, zip));
    }
    const mirror = `filesystem_mirror { path = ${JSON.stringify(join(folder, 'mirror'))} }`;
    writeFileSync(join(folder, 'cli.tfrc'), `provider_installation {\n  ${mirror}\n}\n`);
    const source = `terraform {\n  required_providers {\n    keyplane = { source = "keyplane/keyplane" }\n  }\n}\n`;
    writeFileSync(join(folder, 'main.tf'), `${source}output "units" { value = provider::keyplane::usd_to_quota(1) }\n`);
    for (const words of [['init'], ['plan']]) {
      const { status, stderr } = terraform(...words);
      expect([words, status, stderr]).toEqual([words, 0, '']);
    }
  });
});
