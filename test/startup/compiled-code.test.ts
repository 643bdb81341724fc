import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cachedDataVersionTag, setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openCompiledCode } from '../../src/startup/index.ts';

const NOW = Date.UTC(2026, 10, 27);
const ENGINE = 'v20.19.0-x64';
const TEXT = '(function add(a, b) { return a + b; })(1, 2)';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'keyplane-code-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

interface Start {
  readonly env?: Record<string, string | undefined>;
  readonly build?: string;
  readonly engine?: string;
  readonly command?: string;
  readonly uid?: number | undefined;
  readonly files?: readonly string[];
  readonly text?: string;
  /** Does what a run may do before it ends. */
  readonly work?: () => void;
}

/** One run of a program of these files, from its start to its end. Returns which of them came compiled. */
function start({ env = { HOME: home }, build = 'b1', command = 'plan', files = ['one.cjs'], ...more }: Start = {}) {
  const { text = TEXT, engine = ENGINE, work = () => {} } = more;
  const ends: (() => void)[] = [];
  const uid = 'uid' in more ? more.uid : process.getuid?.();
  const onExit = (end: () => void) => ends.push(end);
  const code = openCompiledCode({ env, build, engine, command, now: NOW, pid: 7, uid, onExit });
  const outcomes = files.map((file) => {
    const cachedData = code.of(file, Buffer.from(text));
    const script = new Script(text, { filename: file, cachedData });
    expect(script.runInThisContext()).toBe(text === TEXT ? 3 : -1);
    code.add(file, Buffer.from(text), script);
    return cachedData === undefined ? 'compiled' : script.cachedDataRejected ? 'rejected' : 'kept';
  });
  work();
  const recording = code.isRecording();
  for (const end of ends) end();
  return { outcomes, recording };
}

const nameOf = (build: string) => `compiled-${build}-${ENGINE}-${cachedDataVersionTag().toString(16)}`;
const folderOf = (build = 'b1') => join(home, '.cache/keyplane', nameOf(build));
const fileOf = (build = 'b1') => join(folderOf(build), 'plan');
const FIRST = { outcomes: ['compiled'], recording: false };
const RECORDED = { outcomes: ['compiled'], recording: true };
const KEPT = { outcomes: ['kept'], recording: false };

describe('what V8 compiled of a program', () => {
  it('is recorded by the second run of a command, and used from the third on', () => {
    expect([start(), start(), start(), start()]).toEqual([FIRST, RECORDED, KEPT, KEPT]);
    expect(readdirSync(folderOf())).toEqual(['plan']);
    expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
    expect(statSync(folderOf()).mode & 0o777).toBe(0o700);
  });

  it('is that of one command, one build and one version of Node.js, whose patches of V8 leave its tag as it is', () => {
    for (let run = 0; run < 2; run += 1) start();
    expect(start({ command: 'drift' })).toEqual(FIRST);
    expect(start({ build: 'b2' })).toEqual(FIRST);
    expect(start({ engine: 'v20.20.2-x64' })).toEqual(FIRST);
    expect(start()).toEqual(KEPT);
  });

  it('is completed by a run that loads further files', () => {
    for (let run = 0; run < 2; run += 1) start();
    const files = ['one.cjs', 'two.cjs'];
    expect(start({ files })).toEqual({ outcomes: ['kept', 'compiled'], recording: true });
    expect(start({ files: ['two.cjs'] })).toEqual(KEPT);
    expect(start({ files })).toEqual({ outcomes: ['kept', 'kept'], recording: false });
  });

  it.each([
    { name: 'cut off', damage: (content: Buffer) => content.subarray(0, content.length - 9) },
    { name: 'cut off in the checksum', damage: (content: Buffer) => content.subarray(0, 3) },
    { name: 'zeros', damage: (content: Buffer) => Buffer.alloc(content.length) },
    { name: 'with one bit that differs', damage: (content: Buffer) => content.with(content.length - 40, 1) },
  ])('is recorded again if the file is $name', ({ damage }) => {
    for (let run = 0; run < 2; run += 1) start();
    writeFileSync(fileOf(), damage(readFileSync(fileOf())));
    expect([start(), start()]).toEqual([RECORDED, KEPT]);
  });

  it('is not used if somebody else may have written it', () => {
    for (let run = 0; run < 2; run += 1) start();
    chmodSync(fileOf(), 0o620);
    expect(start()).toEqual(FIRST);
    expect(statSync(fileOf())).toMatchObject({ size: 0 });
  });

  it.each([
    {
      name: 'a folder that others may write to',
      make: (path: string) => mkdirSync(path, { recursive: true }),
      mode: 0o777,
    },
    { name: 'a link', make: (path: string) => symlinkSync(mkdtempSync(join(home, 'other-')), path), mode: undefined },
  ])('is neither read from nor left in $name', ({ make, mode }) => {
    for (let run = 0; run < 2; run += 1) start();
    const folder = join(home, '.cache/keyplane');
    renameSync(folder, join(home, 'kept'));
    make(folder);
    renameSync(join(home, 'kept', readdirSync(join(home, 'kept'))[0] ?? ''), folderOf());
    if (mode !== undefined) chmodSync(folder, mode);
    const before = readFileSync(fileOf());
    expect(start()).toEqual(FIRST);
    expect(start({ command: 'drift' })).toEqual(FIRST);
    expect(readdirSync(folderOf())).toEqual(['plan']);
    expect(readFileSync(fileOf())).toEqual(before);
  });

  it('is neither read from nor left in the home folder of somebody else, as with sudo', () => {
    for (let run = 0; run < 2; run += 1) start();
    const before = readFileSync(fileOf());
    const uid = (process.getuid?.() ?? 0) + 1;
    expect(start({ uid })).toEqual(FIRST);
    expect(start({ uid, build: 'b2' })).toEqual(FIRST);
    expect(readFileSync(fileOf())).toEqual(before);
    expect(existsSync(folderOf('b2'))).toBe(false);
  });

  it.each([
    { name: 'a variable of Node.js rejects it', env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
    { name: 'V8 records coverage', env: { NODE_V8_COVERAGE: '/nowhere' } },
    { name: 'there is no home folder', env: { HOME: undefined } },
    { name: 'the home folder is a relative path', env: { HOME: 'home' } },
    { name: 'the home folder does not exist', env: { HOME: '/nowhere/at/all' } },
  ])('is not kept if $name', ({ env }) => {
    for (let run = 0; run < 3; run += 1) expect(start({ env: { HOME: home, ...env } })).toEqual(FIRST);
    expect(readdirSync(home)).toEqual([]);
  });

  it('is kept where XDG_CACHE_HOME leads', () => {
    const named = join(home, 'named');
    mkdirSync(named);
    for (let run = 0; run < 2; run += 1) start({ env: { HOME: home, XDG_CACHE_HOME: named } });
    expect(start({ env: { HOME: '/nowhere', XDG_CACHE_HOME: named } })).toEqual(KEPT);
    expect(readdirSync(home)).toEqual(['named']);
  });

  it('is not missed where nothing can be written', () => {
    writeFileSync(join(home, '.cache'), 'a file');
    expect([start(), start()]).toEqual([FIRST, FIRST]);
    expect(readFileSync(join(home, '.cache'), 'utf8')).toBe('a file');
  });

  it('does not keep a run from its end in a folder in which nothing can be made', () => {
    expect(start({ env: { XDG_CACHE_HOME: '/proc' }, uid: 0 })).toEqual(FIRST);
  });

  it('is not even made where it cannot be written', () => {
    start();
    mkdirSync(`${fileOf()}.7`);
    const made = vi.spyOn(Script.prototype, 'createCachedData');
    try {
      expect(start()).toEqual(RECORDED);
      expect(made).not.toHaveBeenCalled();
    } finally {
      made.mockRestore();
    }
    expect(statSync(fileOf())).toMatchObject({ size: 0 });
  });

  it('leaves nothing of runs that were killed while they recorded', () => {
    start();
    for (const name of ['plan.4711', 'drift.4711']) writeFileSync(join(folderOf(), name), 'half of it');
    expect([start(), start()]).toEqual([RECORDED, KEPT]);
    expect(readdirSync(folderOf()).sort()).toEqual(['drift.4711', 'plan']);
  });

  it('is removed after 30 days if it is that of another version', () => {
    for (const build of ['old', 'new']) for (let run = 0; run < 2; run += 1) start({ build });
    const day = 24 * 3600;
    utimesSync(folderOf('old'), NOW / 1000, NOW / 1000 - 31 * day);
    utimesSync(folderOf('new'), NOW / 1000, NOW / 1000 - 29 * day);
    for (let run = 0; run < 2; run += 1) start();
    expect(readdirSync(join(home, '.cache/keyplane')).sort()).toEqual(['b1', 'new'].map(nameOf));
  });

  it('is the only thing that is removed from a folder in which the user has other files', () => {
    const own = join(home, 'keyplane/prod');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'keyplane.yaml'), 'version: 1');
    utimesSync(own, NOW / 1000, NOW / 1000 - 31 * 24 * 3600);
    const env = { XDG_CACHE_HOME: home };
    expect([start({ env }), start({ env }), start({ env })]).toEqual([FIRST, RECORDED, KEPT]);
    expect(readdirSync(join(home, 'keyplane')).sort()).toEqual([nameOf('b1'), 'prod']);
    expect(readdirSync(own)).toEqual(['keyplane.yaml']);
  });

  it('is not used for a file that was edited, also where its length stays the same', () => {
    for (let run = 0; run < 2; run += 1) start();
    const text = TEXT.replace('a + b', 'a - b');
    expect([start({ text }), start({ text })]).toEqual([RECORDED, KEPT]);
    expect(start()).toEqual(RECORDED);
  });

  it('is not recorded by a run that changes flags of V8, which may then change more of them', () => {
    start();
    try {
      const work = () => setFlagsFromString('--heap-growing-percent=75');
      expect(start({ work })).toEqual(FIRST);
    } finally {
      setFlagsFromString('--heap-growing-percent=0');
    }
    expect(statSync(fileOf())).toMatchObject({ size: 0 });
    expect(start()).toEqual(RECORDED);
  });
});
