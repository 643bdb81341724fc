import { execFileSync } from 'node:child_process';
import { constants } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { reserveSecretFile } from '../../../src/cli/session/files/secret-file.ts';
import { usageCacheAt, writeWhole } from '../../../src/disk/index.ts';
import { keyId, quota, Secret } from '../../../src/domain/index.ts';
import { MOST_BYTES, readBoundedText } from '../../../src/source/index.ts';
import { NO_MOUNT, tryMount, tryMountFile } from '../../mounts.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keyplane-files-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('a reserved file for a secret', () => {
  it('exists, private and filled, before the secret is there, and holds only the secret after', async () => {
    const reserved = await reserveSecretFile(join(folder, 'token'), Math.random);
    const [temporary = ''] = await readdir(folder);
    const { mode, size } = await stat(join(folder, temporary));
    expect([mode & 0o777, size]).toEqual([0o600, 4096]);
    await reserved.keep(new Secret('new'));
    expect(await readdir(folder)).toEqual(['token']);
    expect(await readFile(join(folder, 'token'), 'utf8')).toBe('new\n');
  });

  it('takes the place of the old one only at the end, private even when that was not', async () => {
    await writeFile(join(folder, 'token'), 'old\n');
    await chmod(join(folder, 'token'), 0o644);
    const discarded = await reserveSecretFile(join(folder, 'token'), Math.random);
    await discarded.discard();
    expect([await readdir(folder), await readFile(join(folder, 'token'), 'utf8')]).toEqual([['token'], 'old\n']);
    await (await reserveSecretFile(join(folder, 'token'), Math.random)).keep(new Secret('new'));
    expect((await stat(join(folder, 'token'))).mode & 0o777).toBe(0o600);
  });

  it('is refused where there is no folder, or a folder in its place', async () => {
    await mkdir(join(folder, 'sub'));
    for (const path of ['sub', 'no/such/token']) {
      await expect(reserveSecretFile(join(folder, path), Math.random)).rejects.toMatchObject({
        code: 'file.unwritable',
      });
    }
    expect(await readdir(folder)).toEqual(['sub']);
  });
});

describe('a file that is written whole', () => {
  const reasonFor = async (path: string): Promise<string> =>
    writeWhole(join(folder, path), 'text').then(
      () => 'written',
      (fault: Error) => fault.message.slice(folder.length + 1),
    );

  it('reports in words why it cannot be written', async () => {
    await mkdir(join(folder, 'sub'));
    await writeFile(join(folder, 'plain'), '');
    expect(await reasonFor('sub')).toBe('sub cannot be written: it is a folder.');
    expect(await reasonFor('no/such')).toBe('no/such cannot be written: there is no such file or folder.');
    expect(await reasonFor('plain/x')).toBe('plain/x cannot be written: a part of its path is not a folder.');
  });

  it.skipIf(process.platform === 'win32')('is written into, not replaced, when it is not a regular file', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const reader = await open(join(folder, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
    await writeWhole(join(folder, 'pipe'), 'text');
    expect(await reader.readFile('utf8')).toBe('text');
    await reader.close();
    expect((await stat(join(folder, 'pipe'))).isFIFO()).toBe(true);
  });

  it.skipIf(process.platform === 'win32')('is refused when it is a pipe that nobody reads', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    expect(await reasonFor('pipe')).toBe('pipe cannot be written: no program reads from this pipe.');
  });

  it.skipIf(process.platform === 'win32')('is written whole into a pipe that is read slowly', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const text = 'x'.repeat(1_000_000);
    const held = await open(join(folder, 'pipe'), constants.O_RDONLY | constants.O_NONBLOCK);
    const written = writeWhole(join(folder, 'pipe'), text);
    expect(await readBoundedText(join(folder, 'pipe'), MOST_BYTES.yaml)).toBe(text);
    await written;
    await held.close();
  });
});

describe('a file on a disk of its own', () => {
  let mounted: { readonly unmount: () => void } | undefined;
  afterEach(() => mounted?.unmount());

  it('stays as it was where a part of the new text fits on the disk', async (context) => {
    mounted = tryMount(folder);
    if (!mounted) return context.skip(NO_MOUNT);
    await writeFile(join(folder, 'plan'), 'old');
    await expect(writeWhole(join(folder, 'plan'), 'x'.repeat(70_000))).rejects.toMatchObject({
      code: 'file.unwritable',
    });
    expect([await readdir(folder), await readFile(join(folder, 'plan'), 'utf8')]).toEqual([['plan'], 'old']);
  });

  it('is written to where it is mounted on its own, and refused for a secret that must not get lost', async (context) => {
    await writeFile(join(folder, 'host'), 'a long former text', { mode: 0o644 });
    await writeFile(join(folder, 'report'), '');
    mounted = tryMountFile(join(folder, 'host'), join(folder, 'report'));
    if (!mounted) return context.skip(NO_MOUNT);
    await writeWhole(join(folder, 'report'), 'text', 0o600);
    expect([await readFile(join(folder, 'host'), 'utf8'), (await stat(join(folder, 'host'))).mode & 0o777]).toEqual([
      'text',
      0o600,
    ]);
    await expect(reserveSecretFile(join(folder, 'report'), Math.random)).rejects.toMatchObject({
      message: expect.stringContaining('mount its folder instead'),
    });
    expect((await readdir(folder)).sort()).toEqual(['host', 'report']);
  });
});

describe('the usage cache', () => {
  const account = { url: 'https://a', userId: 1 };
  const memory = { through: 100, used: new Map([[keyId(3), quota(7)]]), keys: new Map() };
  const cache = (of = account) => usageCacheAt(join(folder, 'usage.json'), of);

  it('remembers for the same account, and for no other', async () => {
    expect(await cache().load()).toBeUndefined();
    await cache().save(memory);
    expect(await cache().load()).toEqual(memory);
    expect(await cache({ ...account, userId: 2 }).load()).toBeUndefined();
    expect(await cache({ ...account, url: 'https://b' }).load()).toBeUndefined();
  });

  it.each([
    '',
    '{}',
    '{"version":2}',
    'nonsense',
    '{"version":1,"account":{"url":"https://a","userId":1},"through":1,"used":{"x":1}}',
  ])('counts as empty when it holds %j', async (text) => {
    await writeFile(join(folder, 'usage.json'), text);
    expect(await cache().load()).toBeUndefined();
  });

  it('counts as empty when it is a pipe, and does not wait for its writer', async () => {
    execFileSync('mkfifo', [join(folder, 'usage.json')]);
    expect(await cache().load()).toBeUndefined();
  });
});
