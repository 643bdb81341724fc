import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Io, machineOf } from '../../../src/cli/session/io.ts';
import { fileLock } from '../../../src/disk/index.ts';
import type { AccountRef } from '../../../src/domain/index.ts';
import { openTerminal } from '../terminal.ts';

const lockAccount = async (io: Io, of: AccountRef): Promise<() => Promise<void>> =>
  (await fileLock(machineOf(io)).acquire(of, { timeoutSeconds: 0 })).release;

describe('the lock of an account', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'keyplane-lock-'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true });
  });

  const account = { url: 'https://gateway.example.com', userId: 42 };
  const io = () => openTerminal({ env: { XDG_STATE_HOME: home } }).io;
  const folder = () => join(home, 'keyplane', 'locks');

  async function leaveClaim(claim: object): Promise<void> {
    const release = await lockAccount(io(), account);
    const [own = ''] = await readdir(folder());
    await release();
    await writeFile(join(folder(), own), JSON.stringify(claim));
  }

  it('is held by one at a time, whatever slash the address ends with, and another account is free', async () => {
    const release = await lockAccount(io(), account);
    const again = lockAccount(io(), { ...account, url: `${account.url}/` });
    await expect(again).rejects.toMatchObject({ code: 'apply.locked', hint: expect.stringContaining(folder()) });
    await (await lockAccount(io(), { ...account, userId: 43 }))();
    await release();
    await (await lockAccount(io(), account))();
    expect(await readdir(folder())).toEqual([]);
  });

  it('leaves nothing behind where its claim cannot be written', async () => {
    const always = { ...io(), random: () => 0.5 };
    const release = await lockAccount(always, account);
    const [own = ''] = await readdir(folder());
    await release();
    await mkdir(join(folder(), own));
    await expect(lockAccount(always, account)).rejects.toMatchObject({ code: 'file.unwritable' });
    expect(await readdir(folder())).toEqual([own]);
  });

  it.skipIf(process.platform === 'win32')('waits for no pipe among the claims', async () => {
    await mkdir(folder(), { recursive: true });
    const release = await lockAccount(io(), account);
    const [own = ''] = await readdir(folder());
    await release();
    execFileSync('mkfifo', [join(folder(), own)]);
    await expect(lockAccount(io(), account)).rejects.toMatchObject({
      code: 'apply.locked',
      detail: { lock: join(folder(), own) },
    });
  });

  it('is the same under every name of this machine', async () => {
    const release = await lockAccount(io(), { url: 'http://localhost:3000', userId: 42 });
    for (const url of ['http://127.0.0.1:3000', 'http://[::1]:3000', 'http://LocalHost.:3000/']) {
      await expect(lockAccount(io(), { url, userId: 42 }), url).rejects.toMatchObject({ code: 'apply.locked' });
    }
    await release();
  });

  it('is never held by two simultaneous runs', async () => {
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockAccount(io(), account)));
    expect(attempts.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  });

  it.each(['1', null])('is taken over from a process that is gone (begun at %j)', async (started) => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    await leaveClaim({ pid, host: hostname(), started, at: 1 });
    await (await lockAccount(io(), account))();
    expect(await readdir(folder())).toEqual([]);
  });

  it.runIf(process.platform === 'linux')(
    'is taken over when the process id belongs to another process now',
    async () => {
      await leaveClaim({ pid: process.pid, host: hostname(), started: '1', at: 1 });
      await (await lockAccount(io(), account))();
    },
  );

  it('is not held by a claim that its process did not finish writing', async () => {
    const release = await lockAccount(io(), account);
    const [own = ''] = await readdir(folder());
    await release();
    await writeFile(join(folder(), `${own}.new`), '{"pid":');
    await (await lockAccount(io(), account))();
  });

  it('that cannot be claimed is file.unwritable', async () => {
    const fixed = { ...io(), random: () => 0.5 };
    const release = await lockAccount(fixed, account);
    const [own = ''] = await readdir(folder());
    await release();
    await writeFile(join(folder(), `${own}.new`), '');
    await expect(lockAccount(fixed, account)).rejects.toMatchObject({ code: 'file.unwritable' });
  });

  it.each(['/proc/nowhere', '/dev/null', 'relative', ''])(
    'is kept in the folder for temporary files where the home folder is %j',
    async (place) => {
      for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, home);
      const env = place === '' ? { HOME: join(home, 'nobody') } : { XDG_STATE_HOME: place, HOME: place };
      if (place === '') await writeFile(join(home, 'nobody'), '');
      const release = await lockAccount(openTerminal({ env }).io, account);
      const again = lockAccount(openTerminal({ env }).io, account);
      await expect(again).rejects.toMatchObject({ code: 'apply.locked', hint: expect.stringContaining(home) });
      await release();
    },
  );

  it('that can be kept nowhere is file.unwritable', async () => {
    const file = join(home, 'file');
    await writeFile(file, '');
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, file);
    const { io: closed } = openTerminal({ env: { XDG_STATE_HOME: file } });
    await expect(lockAccount(closed, account)).rejects.toMatchObject({ code: 'file.unwritable' });
  });

  it('is respected when it was made on another machine or in a container with our name, or cannot be read', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    for (const elsewhere of [{ host: 'another.example.com' }, { host: hostname(), namespace: 'pid:[1]' }]) {
      await leaveClaim({ pid, started: '1', at: 1, ...elsewhere });
      await expect(lockAccount(io(), account)).rejects.toMatchObject({
        code: 'apply.locked',
        hint: expect.stringContaining('on another machine or in another container'),
      });
      await rm(folder(), { recursive: true });
    }
    await leaveClaim({ pid, host: hostname(), started: '1', at: 1, namespace: 'pid:[1]' });
    const [own = ''] = await readdir(folder());
    await writeFile(join(folder(), own), '');
    await expect(lockAccount(io(), account)).rejects.toMatchObject({ code: 'apply.locked' });
  });

  describe('broken by hand', () => {
    /** A lock that is held, its file, and its renewals. */
    async function hold(more: Partial<Io> = {}) {
      const works: (() => Promise<void>)[] = [];
      const every: Io['every'] = (_, work) => {
        works.push(work);
        return () => works.splice(0);
      };
      const held = await fileLock(machineOf({ ...io(), every, ...more })).acquire(account, { timeoutSeconds: 0 });
      const path = join(folder(), (await readdir(folder()))[0] ?? '');
      await held.ensureHeld();
      return { held, path, renew: () => Promise.all(works.map((work) => work())) };
    }

    const ofAnother = JSON.stringify({ pid: 1, host: 'another.example.com', started: '1', at: 1, nonce: 'other' });

    it.each<[string, (path: string) => Promise<void>, string]>([
      ['was deleted', (path) => rm(path), 'its file was removed'],
      ['is that of another run now', (path) => writeFile(path, ofAnother), 'its file is that of another run'],
      ['was emptied', (path) => writeFile(path, ''), 'its file is that of another run'],
      ['cannot be read', (path) => rm(path).then(() => mkdir(path)), 'its file cannot be read, because it is a folder'],
    ])('is lost permanently when its file %s', async (_, breakLock, why) => {
      const { held, path, renew } = await hold();
      const content = await readFile(path);
      await breakLock(path);
      const lost = { code: 'apply.lock-lost', message: `This run no longer holds the lock of the account: ${why}.` };
      await expect(held.ensureHeld()).rejects.toMatchObject(lost);
      await rm(path, { recursive: true, force: true });
      await writeFile(path, content);
      await renew();
      await expect(held.ensureHeld()).rejects.toMatchObject(lost);
    });

    it('lets writes that begin together continue in their order', async () => {
      const { held } = await hold();
      const order: number[] = [];
      const numbers = Array.from({ length: 50 }, (_, n) => n);
      await Promise.all(numbers.map((n) => held.ensureHeld().then(() => order.push(n))));
      expect(order).toEqual(numbers);
      await held.release();
    });

    it('is noticed by its renewal, whatever becomes of the file afterwards', async () => {
      const { held, path, renew } = await hold();
      const content = await readFile(path);
      await rm(path);
      await renew();
      await writeFile(path, content);
      await expect(held.ensureHeld()).rejects.toMatchObject({ code: 'apply.lock-lost' });
    });

    const ended = JSON.stringify({ pid: spawnSync(process.execPath, ['--version']).pid, host: hostname(), at: 1 });
    const silent = 90_000;

    it.each<[string, 'steady' | 'clock', number, string, boolean]>([
      ['is lost to a run elsewhere that may be about to remove its file', 'steady', silent, ofAnother, false],
      ['is lost to one where the machine slept', 'clock', silent, ofAnother, false],
      ['is lost to one that cannot be read', 'steady', silent, '', false],
      ['stays its own before that', 'steady', silent - 1, ofAnother, true],
      ['stays its own next to the file of a run that ended', 'steady', silent, ended, true],
    ])('after a time without a renewal %s', async (_, clock, passed, other, isHeld) => {
      let now = 1_800_000_000_000;
      const clocks = { steady: () => 0, clock: () => 1_800_000_000 };
      const { held, path, renew } = await hold({
        ...clocks,
        [clock]: clock === 'steady' ? () => now : () => now / 1000,
      });
      now += passed;
      await writeFile(path.replace(/[^.]*\.lock$/, '9-other.lock'), other);
      // It may come too late.
      await renew();
      const lost = { code: 'apply.lock-lost', message: expect.stringContaining('another run has claimed it since') };
      if (isHeld) await held.ensureHeld();
      else await expect(held.ensureHeld()).rejects.toMatchObject(lost);
      await held.release();
      expect(await readdir(folder())).toHaveLength(1);
    });

    it('verifies other files once for each time without a renewal, after which its own file is new', async () => {
      let now = 0;
      const { held, path } = await hold({ steady: () => now });
      await utimes(path, 1, 1);
      now += silent;
      await held.ensureHeld();
      expect((await stat(path)).mtimeMs).toBeGreaterThan(1000);
      await writeFile(path.replace(/[^.]*\.lock$/, '9-other.lock'), ofAnother);
      await held.ensureHeld();
      now += silent;
      await expect(held.ensureHeld()).rejects.toMatchObject({ code: 'apply.lock-lost' });
    });

    it('is neither renewed nor removed when its file is that of another run', async () => {
      const { held, path, renew } = await hold();
      await writeFile(path, ofAnother);
      await utimes(path, 1, 1);
      await renew();
      expect((await stat(path)).mtimeMs).toBe(1000);
      await held.release();
      expect(await readFile(path, 'utf8')).toBe(ofAnother);
    });
  });

  describe('held by a run that nobody here can ask about', () => {
    const patient = { timeoutSeconds: 300 };

    /** Pauses take no time; the claim of the other run is renewed in each of them, or never. */
    const waiting = (renew?: () => Promise<void>): Io => {
      const terminal = io();
      return {
        ...terminal,
        async pause(seconds, signal) {
          await renew?.();
          await terminal.pause(seconds, signal);
        },
      };
    };

    it.each([
      ['of another machine', { pid: 1, host: 'another.example.com', started: '1', at: 1 }],
      ['that cannot be read', {}],
      ['of no process', { pid: -1, host: hostname(), started: null, at: 1 }],
    ])('is taken over two minutes after the last renewal of a claim %s', async (_which, claim) => {
      await leaveClaim(claim);
      const waiter = waiting();
      const held = await fileLock(machineOf(waiter)).acquire(account, patient);
      expect(held.waitedSeconds).toBeGreaterThanOrEqual(120);
      expect(waiter.steady()).toBeGreaterThanOrEqual(120_000);
      expect(waiter.steady()).toBeLessThan(130_000);
      await held.release();
      expect(await readdir(folder())).toEqual([]);
    });

    it('is respected as long as the claim is renewed', async () => {
      await leaveClaim({ pid: 1, host: 'another.example.com', started: '1', at: 1 });
      const [own = ''] = await readdir(folder());
      let renewals = 0;
      const renew = () => utimes(join(folder(), own), 1, ++renewals);
      await expect(fileLock(machineOf(waiting(renew))).acquire(account, patient)).rejects.toMatchObject({
        code: 'apply.locked',
      });
      expect(await readdir(folder())).toEqual([own]);
    });

    it('renews its claim until it is released', async () => {
      const works: (() => Promise<void>)[] = [];
      let stopped = false;
      const every: Io['every'] = (_, work) => {
        works.push(work);
        return () => {
          stopped = true;
        };
      };
      const release = await lockAccount({ ...io(), every }, account);
      const path = join(folder(), (await readdir(folder()))[0] ?? '');
      await utimes(path, 1, 1);
      for (const work of works) await work();
      expect((await stat(path)).mtimeMs).toBeGreaterThan(1000);
      await release();
      expect(stopped).toBe(true);
    });
  });
});
