import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SinkTarget } from '../../src/domain/index.ts';
import { openPlace, type Place } from '../acceptance/place.ts';
import { FIRST, METADATA, SECOND } from '../contract/sink-suite.ts';
import { NO_MOUNT, tryMount, tryMountFile } from '../mounts.ts';
import { openIn, scratch, textsBelow } from './scratch.ts';

const FILLER = 'filler';

/** Takes what is left of the disk. */
async function fill(folder: string): Promise<void> {
  for (let bytes = 65_536; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    await writeFile(join(folder, FILLER), Buffer.alloc(bytes), { flag: 'a' }).catch(() => undefined);
  }
}

const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
const TARGETS: readonly (readonly [string, SinkTarget, file: string])[] = [
  ['dotenv', { file: '.env', format: 'dotenv', as: 'KEY' }, '.env'],
  ['JSON', { file: 'keys.json', format: 'json', as: 'KEY' }, 'keys.json'],
  ['YAML', { file: 'keys.yaml', format: 'yaml', as: 'KEY' }, 'keys.yaml'],
  ['raw', { file: 'key.txt', format: 'raw' }, 'key.txt'],
  ['age', { file: 'key.age', encrypt: [RECIPIENT] }, 'key.age'],
  ['Kubernetes', { kubernetesSecret: { name: 'llm', file: 'llm.yaml' } }, 'llm.yaml'],
];

describe.each(TARGETS)('a sink of the kind %s', (_, target, file) => {
  let room: Awaited<ReturnType<typeof scratch>>;
  let mounted: ReturnType<typeof tryMount>;
  beforeEach(async () => {
    room = await scratch();
    mounted = tryMount(room.folder);
  });
  afterEach(async () => {
    mounted?.unmount();
    await room.close();
  });

  const temporary = async (): Promise<readonly string[]> =>
    (await readdir(room.folder, { recursive: true })).filter((name) => name.endsWith('.keyplane-new'));

  it('keeps its secret, whole, where the disk is full, leaves nothing behind, and is written to once there is room', async (context) => {
    if (!mounted) return context.skip(NO_MOUNT);
    const path = join(room.folder, file);
    await openIn(target, room.folder).write(FIRST, METADATA);
    const before = await readFile(path, 'utf8');
    await fill(room.folder);
    await expect(openIn(target, room.folder).write(SECOND, METADATA)).rejects.toMatchObject({
      code: 'file.unwritable',
      message: expect.stringMatching(/no space|full/i),
      hint: expect.stringContaining('free disk space'),
    });
    expect([await readFile(path, 'utf8'), await temporary()]).toEqual([before, []]);
    expect([...(await textsBelow(room.folder)).values()].join()).not.toContain(SECOND.reveal());
    await rm(join(room.folder, FILLER));
    await openIn(target, room.folder).write(SECOND, METADATA);
    expect(await openIn(target, room.folder).compare(SECOND)).toBe('current');
  });

  it('is not created where the disk is full, and an empty file is not left in its place', async (context) => {
    if (!mounted) return context.skip(NO_MOUNT);
    await fill(room.folder);
    await expect(openIn(target, room.folder).write(FIRST, METADATA)).rejects.toMatchObject({ code: 'file.unwritable' });
    expect((await readdir(room.folder)).includes(file)).toBe(false);
    expect(await temporary()).toEqual([]);
    expect(await openIn(target, room.folder).compare(FIRST)).toBe('absent');
  });

  it('is refused by its probe where the file system is read-only, and keeps its secret', async (context) => {
    if (!mounted) return context.skip(NO_MOUNT);
    const path = join(room.folder, file);
    await openIn(target, room.folder).write(FIRST, METADATA);
    const before = await readFile(path, 'utf8');
    mounted.remount('ro');
    const sink = openIn(target, room.folder);
    for (const attempt of [() => sink.probe(), () => sink.write(SECOND, METADATA)]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'file.unwritable',
        message: expect.stringContaining('read-only'),
      });
    }
    expect([await readFile(path, 'utf8'), await sink.compare(FIRST)]).toEqual([before, 'current']);
    mounted.remount('rw');
    await openIn(target, room.folder).write(SECOND, METADATA);
    expect(await openIn(target, room.folder).compare(SECOND)).toBe('current');
  });
});

describe('the file of a sink', () => {
  let room: Awaited<ReturnType<typeof scratch>>;
  let mounted: { readonly unmount: () => void } | undefined;
  beforeEach(async () => {
    room = await scratch();
    mounted = undefined;
  });
  afterEach(async () => {
    mounted?.unmount();
    await room.close();
  });
  const dotenv = (path: string): SinkTarget => ({ file: path, format: 'dotenv', as: 'KEY' });

  it('is refused by its probe where it is mounted on its own, and keeps its entries', async (context) => {
    await writeFile(join(room.folder, 'host file'), 'OTHER=1\n');
    await writeFile(join(room.folder, 'a file.env'), '');
    mounted = tryMountFile(join(room.folder, 'host file'), join(room.folder, 'a file.env'));
    if (!mounted) return context.skip(NO_MOUNT);
    const sink = openIn(dotenv('a file.env'), room.folder);
    for (const attempt of [() => sink.probe(), () => sink.write(FIRST, METADATA)]) {
      await expect(attempt()).rejects.toMatchObject({
        code: 'sink.unreadable',
        message: expect.stringContaining('a file.env cannot be used for a secret: it is mounted as a single file'),
      });
    }
    expect(await readFile(join(room.folder, 'host file'), 'utf8')).toBe('OTHER=1\n');
    expect([...(await textsBelow(room.folder)).values()].join()).not.toContain(FIRST.reveal());
  });

  it('is refused by its probe where its missing folder cannot be created', async (context) => {
    const disk = tryMount(room.folder);
    if (!disk) return context.skip(NO_MOUNT);
    mounted = disk;
    disk.remount('ro');
    await expect(openIn(dotenv('new/folder/.env'), room.folder).probe()).rejects.toMatchObject({
      code: 'file.unwritable',
    });
  });

  it.each<SinkTarget>([dotenv('.env'), { exec: ['true'] }])(
    'is refused by its probe where no claim can be recorded: %j',
    async (target) => {
      await writeFile(join(room.folder, '.keyplane'), '');
      await expect(openIn(target, room.folder).probe()).rejects.toMatchObject({
        code: 'file.unwritable',
        message: expect.stringContaining('.keyplane/sinks/'),
      });
    },
  );
});

describe('a rotation whose sinks are on a disk', () => {
  let place: Place;
  let mounted: ReturnType<typeof tryMount>;
  const APPLY = ['apply', '--yes', '--no-check'];
  const ROTATE = ['keys', 'rotate', 'app', '--overlap', '1h', '--yes'];
  const sinks = () => join(place.folder, 'sinks');
  beforeEach(async () => {
    place = await openPlace([{ name: 'app', remain_quota: 500_000, unlimited_quota: false }], 'deployed');
    await mkdir(sinks());
    mounted = tryMount(sinks());
    await place.declare(`  app:
    budget: { usd: 1, initial: true }
    deliver:
      - { file: sinks/.env, format: dotenv, as: KEY }
      - { kubernetesSecret: { name: llm, file: sinks/llm.yaml } }`);
  });
  afterEach(async () => {
    mounted?.unmount();
    await place.close();
  });
  const held = async () => (await readFile(join(sinks(), '.env'), 'utf8')).replace(/^KEY=|\n$/g, '');
  const works = async (secret: string): Promise<boolean> =>
    (await fetch(`${place.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })).ok;

  it('that is full keeps the old secret there and working, ends with code 5, and is completed by the next run', async (context) => {
    if (!mounted) return context.skip(NO_MOUNT);
    expect((await place.run(APPLY)).code).toBe(0);
    const old = await held();
    await fill(sinks());
    const { code, stdout, stderr } = await place.run(ROTATE);
    expect([code, `${stdout}${stderr}`]).toEqual([5, expect.stringContaining('file.unwritable')]);
    expect([await held(), await works(old)]).toEqual([old, true]);
    expect((await readdir(sinks())).sort()).toEqual(['.env', FILLER, 'llm.yaml']);
    await rm(join(sinks(), FILLER));
    expect((await place.run(APPLY)).code).toBe(0);
    const now = await held();
    expect([now === old, await works(now), await works(old)]).toEqual([false, true, true]);
    expect((await place.keys()).map(({ name }) => name.replace(/\d{8}-\d{4}/, 'DATE'))).toEqual(['app', 'app~DATE+1h']);
    expect((await place.run(['drift'])).code).toBe(0);
  });

  it('that is read-only makes no successor, which nobody could receive, and keeps the old secret', async (context) => {
    if (!mounted) return context.skip(NO_MOUNT);
    expect((await place.run(APPLY)).code).toBe(0);
    const old = await held();
    mounted.remount('ro');
    const { code, stdout, stderr } = await place.run(ROTATE);
    expect([code, `${stdout}${stderr}`]).toEqual([expect.any(Number), expect.stringContaining('read-only')]);
    expect(code).not.toBe(0);
    expect([await held(), await works(old)]).toEqual([old, true]);
    mounted.remount('rw');
    expect((await place.run(APPLY)).code).toBe(0);
    expect((await place.run(['drift'])).code).toBe(0);
    expect(await works(await held())).toBe(true);
  });
});
