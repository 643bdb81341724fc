import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeSink, FIRST, METADATA, SECOND, type SinkBody } from '../contract/sink-suite.ts';
import { openIn, scratch, textsBelow } from './scratch.ts';

/** Stores standard input, and counts how often. */
const STORE = ['sh', '-c', 'cat > stored; echo >> count'];

async function start(read: boolean): Promise<SinkBody> {
  const { folder, close } = await scratch();
  const target = { exec: STORE, ...(read ? { read: ['sh', '-c', 'cat stored 2>/dev/null || true'] } : {}) };
  const stored = join(folder, 'stored');
  return {
    open: (options) => openIn(target, folder, options),
    readByOthers: async () => (existsSync(stored) ? await readFile(stored, 'utf8') : undefined),
    writeByOthers: (value) => writeFile(stored, value),
    readPublic: async () => [...(await textsBelow(join(folder, '.keyplane')))].join('\n'),
    writes: async () =>
      existsSync(join(folder, 'count')) ? (await readFile(join(folder, 'count'), 'utf8')).length : 0,
    close,
  };
}

describeSink({
  title: 'program that reads back',
  start: () => start(true),
  isReadable: true,
  seesOverwrites: true,
  knowsOwner: false,
  canRemove: false,
});
describeSink({
  title: 'program',
  start: () => start(false),
  isReadable: false,
  seesOverwrites: false,
  knowsOwner: false,
  canRemove: false,
});

describe('a program as a sink', () => {
  const inScratch = async (work: (folder: string) => Promise<void>): Promise<void> => {
    const { folder, close } = await scratch();
    await work(folder).finally(close);
  };

  it('gets the secret on standard input alone: neither in its arguments nor in its environment', () =>
    inScratch(async (folder) => {
      const exec = ['sh', '-c', 'cat /proc/self/cmdline /proc/$$/cmdline > argv; env > env; cat > stored'];
      const env = {
        PATH: process.env.PATH ?? '',
        KEYPLANE_ACCESS_TOKEN: 'token-of-keyplane',
        GH_TOKEN: 'wanted',
        OTHER: 'no',
      };
      const lookUp = (name: string): string | undefined => Object.entries(env).find(([key]) => key === name)?.[1];
      const sink = openIn({ exec, env: ['GH_TOKEN', 'KEYPLANE_ACCESS_TOKEN'] }, folder, {}, { env: lookUp });
      await sink.write(FIRST, METADATA);
      const seen = `${await readFile(join(folder, 'argv'), 'utf8')}${await readFile(join(folder, 'env'), 'utf8')}`;
      expect(seen).toContain('GH_TOKEN=wanted');
      for (const hidden of [FIRST.reveal(), 'token-of-keyplane', 'OTHER=']) expect(seen).not.toContain(hidden);
      expect(await readFile(join(folder, 'stored'), 'utf8')).toBe(FIRST.reveal());
    }));

  it('is not run by a plan, nor without permission', () =>
    inScratch(async (folder) => {
      const target = { exec: ['sh', '-c', 'touch ran'], read: ['sh', '-c', 'touch ran'] };
      const planned = openIn(target, folder, {}, { exec: 'never' });
      expect([await planned.probe(), await planned.compare(FIRST), await planned.read()]).toEqual([
        'absent',
        'unknown',
        undefined,
      ]);
      const unpermitted = openIn(target, folder, {}, { exec: 'unpermitted' });
      await expect(unpermitted.probe()).rejects.toMatchObject({ code: 'sink.not-allowed', remedy: 'allow-exec' });
      await expect(unpermitted.write(FIRST, METADATA)).rejects.toMatchObject({ code: 'sink.not-allowed' });
      expect([await unpermitted.compare(FIRST), existsSync(join(folder, 'ran'))]).toEqual(['unknown', false]);
    }));

  it('is known to a plan by its fingerprint', () =>
    inScratch(async (folder) => {
      await openIn({ exec: STORE }, folder).write(FIRST, METADATA);
      const planned = openIn({ exec: STORE }, folder, {}, { exec: 'never' });
      expect([await planned.compare(FIRST), await planned.compare(SECOND)]).toEqual(['current', 'other']);
      const claims = join(folder, '.keyplane/sinks');
      const [claim = ''] = await readdir(claims);
      // Earlier versions joined the words of a program without quotes.
      const former = createHash('sha256')
        .update(`exec ${STORE.join(' ')}`)
        .digest('hex')
        .slice(0, 32);
      await rename(join(claims, claim), join(claims, `${former}.json`));
      expect([await planned.compare(FIRST), await planned.compare(SECOND)]).toEqual(['current', 'other']);
      await rm(join(folder, '.keyplane'), { recursive: true });
      expect(await planned.compare(FIRST)).toBe('unknown');
    }));

  it('records what a killed run had stored, and does not run again for it', () =>
    inScratch(async (folder) => {
      const target = { exec: ['sh', '-c', 'echo ran >> runs; cat > stored'], read: ['cat', 'stored'] };
      const sink = openIn(target, folder);
      await sink.write(FIRST, METADATA);
      const claim = join(folder, '.keyplane/sinks', (await readdir(join(folder, '.keyplane/sinks')))[0] ?? '');
      const before = await readFile(claim, 'utf8');
      await sink.write(SECOND, METADATA);
      // The run ends between the program and the record of it.
      await writeFile(claim, before);
      expect(await sink.compare(SECOND)).toBe('other');
      await sink.write(SECOND, METADATA);
      expect(await sink.compare(SECOND)).toBe('current');
      expect(await readFile(join(folder, 'runs'), 'utf8')).toBe('ran\nran\n');
    }));

  it.each([
    ['ends without storing', 'true'],
    ['fails', 'exit 3'],
  ])('claims nothing for a plan when the program %s', (_, program) =>
    inScratch(async (folder) => {
      const read = ['cat', 'stored'];
      const target = { exec: ['sh', '-c', `if test -e broken; then ${program}; else cat > stored; fi`], read };
      await openIn(target, folder).write(FIRST, METADATA);
      await openIn(target, folder).write(SECOND, METADATA);
      // Somebody brings the former secret back, and the program stores nothing any more.
      await writeFile(join(folder, 'stored'), FIRST.reveal());
      await writeFile(join(folder, 'broken'), '');
      await openIn(target, folder)
        .write(SECOND, METADATA)
        .catch(() => undefined);
      expect(await openIn(target, folder, {}, { exec: 'never' }).compare(SECOND)).toBe('unknown');
    }),
  );

  it('records what it reads in a fresh checkout, so that the next plan shows no delivery', () =>
    inScratch(async (folder) => {
      const target = { exec: STORE, read: ['cat', 'stored'] };
      await writeFile(join(folder, 'stored'), FIRST.reveal());
      const planned = openIn(target, folder, {}, { exec: 'never' });
      expect(await planned.compare(FIRST)).toBe('unknown');
      expect(await openIn(target, folder).compare(FIRST)).toBe('current');
      expect([await planned.compare(FIRST), existsSync(join(folder, 'count'))]).toEqual(['current', false]);
    }));

  it('ends with its children when its time is over', () =>
    inScratch(async (folder) => {
      const sink = openIn({ exec: ['sh', '-c', 'sleep 600 & echo $! > child; wait'], timeout: '1s' }, folder);
      await expect(sink.write(FIRST, METADATA)).rejects.toMatchObject({ code: 'sink.unreachable' });
      const child = Number(await readFile(join(folder, 'child'), 'utf8'));
      const state = await readFile(`/proc/${child}/stat`, 'utf8').catch(() => 'gone');
      expect(state === 'gone' || / Z /.test(state)).toBe(true);
    }));

  it('may print the secret: no error shows it, nor a part of it', () =>
    inScratch(async (folder) => {
      const sink = openIn({ exec: ['sh', '-c', 'cat >&2; printf " %.20s" "$(cat)" ; exit 3'] }, folder);
      const fault = await sink.write(FIRST, METADATA).catch((thrown) => thrown);
      expect(fault).toMatchObject({ code: 'sink.refused', message: expect.stringContaining('failed with code 3') });
      expect(JSON.stringify(fault) + fault.message + fault.stack).not.toContain(FIRST.reveal().slice(3, 20));
    }));

  it('may print the variables that it was given: no error shows their values', () =>
    inScratch(async (folder) => {
      const token = 'hvs.CAESIJforTestsOnly0123456789';
      const env = (name: string): string | undefined => (name === 'STORE_TOKEN' ? token : process.env[name]);
      const exec = ['sh', '-c', 'echo "> X-Store-Token: $STORE_TOKEN" >&2; exit 22'];
      const sink = openIn({ exec, env: ['STORE_TOKEN'] }, folder, {}, { env });
      const fault = await sink.write(FIRST, METADATA).catch((thrown) => thrown);
      expect(fault).toMatchObject({ code: 'sink.refused', message: expect.stringContaining('X-Store-Token') });
      expect(fault.message).not.toContain(token.slice(4, 16));
    }));

  it('may print what it reads and fail: no error shows the value that the place holds', () =>
    inScratch(async (folder) => {
      const read = ['sh', '-c', 'echo "the place is half open" >&2; cat stored; exit 1'];
      const sink = openIn({ exec: STORE, read }, folder);
      await writeFile(join(folder, 'stored'), SECOND.reveal().slice(3));
      for (const work of [() => sink.compare(FIRST), () => sink.read()]) {
        const fault = await work().catch((thrown) => thrown);
        expect(fault).toMatchObject({
          code: 'sink.refused',
          message: 'The program sh of `read` failed with code 1: the place is half open',
          hint: 'Where nothing is stored yet, `read` must print nothing and end with code 0.',
        });
        expect(fault.message).not.toContain(SECOND.reveal().slice(3, 15));
      }
    }));

  it('can open its standard input by name, as programs that want a file do', () =>
    inScratch(async (folder) => {
      await openIn({ exec: ['sh', '-c', 'cat /dev/stdin > stored'] }, folder).write(FIRST, METADATA);
      expect(await readFile(join(folder, 'stored'), 'utf8')).toBe(FIRST.reveal());
    }));

  it('gets its arguments as they are, whatever a shell would do with them', () =>
    inScratch(async (folder) => {
      const odd = ['$HOME', '`id`', "it's", 'a b', '', '-n', '*', '\\', '"'];
      const print = 'process.stdout.write(JSON.stringify(process.argv.slice(1))); process.exit(7)';
      const fault = await openIn({ exec: ['node', '-e', print, '--', ...odd] }, folder)
        .write(FIRST, METADATA)
        .catch((thrown) => thrown);
      expect(fault.message).toContain(`failed with code 7: ${JSON.stringify(odd)}`);
    }));

  it.each([
    ['/dev/tty', 'cat < /dev/tty'],
    ['a signal', 'kill -SEGV $$'],
  ])('that fails over %s is reported with a code', (_, program) =>
    inScratch(async (folder) => {
      const fault = await openIn({ exec: ['sh', '-c', program] }, folder)
        .write(FIRST, METADATA)
        .catch((thrown) => thrown);
      expect(fault).toMatchObject({ code: 'sink.refused', message: expect.stringMatching(/failed with code \d+/) });
    }),
  );

  it('may end without reading', () =>
    inScratch(async (folder) => {
      await openIn({ exec: ['true'] }, folder).write(FIRST, METADATA);
    }));

  it('is missed before a key is created', () =>
    inScratch(async (folder) => {
      await expect(openIn({ exec: ['no-such-program'] }, folder).probe()).rejects.toMatchObject({
        code: 'sink.refused',
      });
    }));
});
