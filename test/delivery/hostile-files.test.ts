import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, chown, link, mkdir, readdir, readFile, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { changePrivate, readPrivate } from '../../src/delivery/file/private-file.ts';
import { Fault, type SinkTarget } from '../../src/domain/index.ts';
import { FIRST, METADATA, SECOND } from '../contract/sink-suite.ts';
import { openIn, scratch, textsBelow } from './scratch.ts';

const isSuperuser = process.getuid?.() === 0;

const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';

const dotenv = (file: string) => ({ file, format: 'dotenv', as: 'KEY' }) as const;

describe('a file sink among hostile files', () => {
  let folder: string;
  let close: () => Promise<void>;
  beforeEach(async () => {
    ({ folder, close } = await scratch());
  });
  afterEach(() => close());

  it.each(['file', 'folder'])(
    'refuses a symbolic link in place of its %s, and writes nothing through it',
    async (what) => {
      const outside = await scratch();
      await writeFile(join(outside.folder, '.env'), 'KEY=theirs\n');
      if (what === 'file') {
        await mkdir(join(folder, 'app'));
        await symlink(join(outside.folder, '.env'), join(folder, 'app/.env'));
      } else await symlink(outside.folder, join(folder, 'app'));
      const sink = openIn(dotenv('app/.env'), folder, { adopt: true });
      const calls = [() => sink.probe(), () => sink.compare(FIRST), () => sink.write(FIRST, METADATA)];
      // One after the other: a rejection that nobody awaits yet ends the whole run.
      for (const call of calls) await expect(call()).rejects.toMatchObject({ code: 'sink.unreadable' });
      expect(await readFile(join(outside.folder, '.env'), 'utf8')).toBe('KEY=theirs\n');
      await outside.close();
    },
  );

  it('never writes out of its folder while somebody swaps the folder for a link', async () => {
    const outside = await scratch();
    const [app, aside] = [join(folder, 'app'), join(folder, 'aside')];
    await mkdir(app);
    let swapping = true;
    // The sink creates a folder that is missing, so each swap first clears the place for as long as the sink is faster.
    const replace = async (place: () => Promise<void>): Promise<void> => {
      for (let placed = false; !placed; ) {
        await rm(app, { recursive: true, force: true });
        placed = await place().then(
          () => true,
          () => false,
        );
      }
    };
    const swap = (async () => {
      while (swapping) {
        await rename(app, aside);
        await replace(() => symlink(outside.folder, app));
        await replace(() => rename(aside, app));
      }
    })();
    for (let turn = 0; turn < 60; turn += 1) {
      await openIn(dotenv('app/.env'), folder, { adopt: true })
        .write(turn % 2 ? FIRST : SECOND, METADATA)
        .catch(() => undefined);
    }
    swapping = false;
    await swap;
    expect(await readdir(outside.folder)).toEqual([]);
    await outside.close();
  });

  it('refuses a file of another user', async (context) => {
    if (!isSuperuser) context.skip('only a superuser can give a file to another user');
    await writeFile(join(folder, '.env'), 'KEY=theirs\n');
    await chown(join(folder, '.env'), 4321, 4321);
    const sink = openIn(dotenv('.env'), folder, { adopt: true });
    await expect(sink.write(FIRST, METADATA)).rejects.toMatchObject({
      code: 'sink.unreadable',
      message: expect.stringContaining('belongs to another user'),
    });
  });

  it('refuses what is not a regular file', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await mkdir(join(folder, 'dir'));
    for (const file of ['pipe', 'dir']) {
      await expect(openIn(dotenv(file), folder).probe()).rejects.toMatchObject({ code: 'sink.unreadable' });
    }
  });

  it('replaces a hard link, and leaves the other name as it was', async () => {
    await writeFile(join(folder, 'other'), 'A=1\n');
    await link(join(folder, 'other'), join(folder, '.env'));
    await openIn(dotenv('.env'), folder).write(FIRST, METADATA);
    expect(await readFile(join(folder, 'other'), 'utf8')).toBe('A=1\n');
  });

  it('keeps the entries of thirty concurrent writers', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `KEY_${index}`);
    await Promise.all(names.map((as) => openIn({ file: '.env', format: 'dotenv', as }, folder).write(FIRST, METADATA)));
    const lines = (await readFile(join(folder, '.env'), 'utf8')).trim().split('\n').sort();
    expect(lines).toEqual(names.map((name) => `${name}=${FIRST.reveal()}`).sort());
    expect((await readdir(folder)).filter((name) => name.endsWith('keyplane-new'))).toEqual([]);
  });

  it('takes over the lock of a run that was killed, and its half-written secret is gone', async () => {
    const lock = join(folder, '.env.keyplane-new');
    await writeFile(lock, 'KEY=half');
    await utimes(lock, new Date(0), new Date(0));
    await openIn(dotenv('.env'), folder).write(FIRST, METADATA);
    expect(await readFile(join(folder, '.env'), 'utf8')).toBe(`KEY=${FIRST.reveal()}\n`);
    expect([...(await textsBelow(folder)).values()].join()).not.toContain('half');
  });

  it.each<readonly [string, SinkTarget, string, trouble: string]>([
    ['with a folder in the place of its new file', dotenv('.env'), '.env.keyplane-new', 'is next to it'],
    ['whose name leaves no room for that of its new file', dotenv('n'.repeat(243)), '', 'too long'],
    ['whose name leaves no room for its digest', { file: 'n'.repeat(240), encrypt: [RECIPIENT] }, '', 'too long'],
  ])('refuses a file %s before anything is created', async (_, target, taken, trouble) => {
    await mkdir(join(folder, taken), { recursive: true });
    await expect(openIn(target, folder).probe()).rejects.toThrow(trouble);
  });

  it('refuses a file that is not text, or larger than 1 MiB', async () => {
    await writeFile(join(folder, 'binary'), Buffer.from([0x4b, 0xff, 0xfe]));
    await writeFile(join(folder, 'large'), 'A=1\n'.repeat(300_000));
    for (const file of ['binary', 'large']) {
      await expect(openIn(dotenv(file), folder).write(FIRST, METADATA)).rejects.toMatchObject({
        code: 'sink.unreadable',
      });
    }
  });

  it('reports a folder that it may not write to before anything is created', async (context) => {
    if (isSuperuser) context.skip('a superuser may write to each folder');
    await chmod(folder, 0o500);
    await expect(openIn(dotenv('.env'), folder).probe()).rejects.toMatchObject({ code: 'file.unwritable' });
    await chmod(folder, 0o700);
  });
});

describe('a private file', () => {
  it('gives up with `sink.stale` when somebody else changes it at every attempt', async () => {
    const { folder, close } = await scratch();
    const file = { root: folder, path: 'shared' };
    let attempts = 0;
    const change = changePrivate(file, () => {
      attempts += 1;
      writeFileSync(join(folder, 'shared'), 'x'.repeat(attempts));
      return 'mine';
    });
    await expect(change).rejects.toMatchObject({ code: 'sink.stale' });
    expect(attempts).toBe(10);
    await close();
  });

  it('makes its change again from the text that somebody else wrote meanwhile', async () => {
    const { folder, close } = await scratch();
    const file = { root: folder, path: 'shared' };
    let isFirst = true;
    await changePrivate(file, (text = '') => {
      if (isFirst) writeFileSync(join(folder, 'shared'), 'theirs');
      isFirst = false;
      return `${text} and mine`;
    });
    expect(await readPrivate(file)).toBe('theirs and mine');
    await close();
  });

  it('leaves the old file whole, and no part of the new one, when the change fails', async () => {
    const { folder, close } = await scratch();
    const file = { root: folder, path: 'shared' };
    await changePrivate(file, () => 'old');
    await expect(
      changePrivate(file, () => {
        throw new Fault('sink.not-allowed', 'no');
      }),
    ).rejects.toMatchObject({ code: 'sink.not-allowed' });
    expect([await readPrivate(file), await readdir(folder)]).toEqual(['old', ['shared']]);
    await close();
  });
});
