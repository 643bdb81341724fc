import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { cachedDataVersionTag, deserialize, serialize } from 'node:v8';
import type { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** The compiled code of the files of a program, of earlier runs and of this one. */
export interface CompiledCode {
  /**
   * Returns true if code that this run compiles is kept. It serves only runs with the flags of V8 that it was compiled with, so that
   * such a run must not set any.
   */
  isRecording(): boolean;
  /** Returns the code of a file that an earlier run has recorded, if its text is still the same. */
  of(file: string, text: Buffer): Buffer | undefined;
  /** Adds a file that this run has loaded. */
  add(file: string, text: Buffer, script: Script): void;
}

interface CodeOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Names all files of the program and what is in them. */
  readonly build: string;
  /** Names the version and the architecture of Node.js. Its versions patch V8, whose own tag stays the same: the code of another one crashes. */
  readonly engine: string;
  /** The command of the program: only what runs is compiled, so each has code of its own. */
  readonly command: string;
  /** In milliseconds. */
  readonly now: number;
  readonly uid: number | undefined;
  readonly pid: number;
  /** Calls the listener at the end of the process. */
  readonly onExit: (listener: () => void) => void;
}

const NOTHING: CompiledCode = { isRecording: () => false, of: () => undefined, add: () => {} };

/** Write permission of the group or of everybody. */
const OTHERS_WRITE = 0o022;

/** Code of other versions that was recorded before this time is removed. */
const KEPT_MS = 30 * 24 * 3_600_000;

const CHECKSUM_BYTES = 4;

const isOwn = ({ uid, mode }: Stats, user: number | undefined): boolean =>
  user === undefined || (uid === user && (mode & OTHERS_WRITE) === 0);

/** The folder for compiled code of this user. Absent if no variable names one, or if somebody else may write to it. */
function codeFolder({ env, uid }: CodeOptions): string | undefined {
  const named = env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME) ? env.XDG_CACHE_HOME : undefined;
  const home = named ?? env.HOME;
  // With `sudo`, HOME may still be that of the other user, who could not remove what we leave there.
  if (!home || !isAbsolute(home) || (uid !== undefined && statSync(home).uid !== uid)) return undefined;
  const folder = join(named ?? join(home, '.cache'), 'keyplane');
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found === undefined || (found.isDirectory() && isOwn(found, uid)) ? folder : undefined;
}

/** V8 runs this code, and does not verify it: it is only read from a file that nobody else can have written, and with a checksum. */
function readOwn(file: string, uid: number | undefined): Buffer | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const found = fstatSync(descriptor);
    return found.isFile() && isOwn(found, uid) ? readFileSync(descriptor) : undefined;
  } finally {
    closeSync(descriptor);
  }
}

interface CodeOfFile {
  readonly code: Buffer;
  /** The checksum of its text: V8 compares only the length, and people edit installed files. */
  readonly checksum: number;
}

type CodeOfFiles = Readonly<Record<string, CodeOfFile>>;

function decode(text: Buffer): CodeOfFiles {
  const body = text.subarray(CHECKSUM_BYTES);
  if (text.length < CHECKSUM_BYTES || crc32(body) !== text.readUInt32LE(0)) return {};
  return deserialize(body);
}

function encode(files: CodeOfFiles): Buffer {
  const body = serialize(files);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(body));
  return Buffer.concat([checksum, body]);
}

/** Not `recursive`: where the system has no folders to make, as in `/proc`, Node.js then tries for ever. */
function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
}

type LoadedFiles = ReadonlyMap<string, () => CodeOfFile>;

const compile = (files: LoadedFiles) => [...files].map(([name, compiled]) => [name, compiled()] as const);

/** Whoever reads the file meanwhile finds all of it or nothing. Where nothing can be written, the content is not asked for. */
function writeWhole(file: string, content: () => Buffer, pid: number): void {
  const scratch = `${file}.${pid}`;
  try {
    writeFileSync(scratch, '', { mode: 0o600 });
    writeFileSync(scratch, content());
    renameSync(scratch, file);
  } finally {
    rmSync(scratch, { force: true });
  }
}

/** Removes what runs that were killed have left of a file. Whoever writes it at this time writes nothing. */
function removeScratch(folder: string, command: string): void {
  for (const name of readdirSync(folder))
    if (name.startsWith(`${command}.`)) rmSync(join(folder, name), { force: true });
}

/** The names of our folders: with XDG_CACHE_HOME, the folder that they are in may be one in which the user keeps other files. */
const VERSION = /^compiled-.+-[\da-f]+$/;

function removeOld(folder: string, kept: string, now: number): void {
  for (const name of readdirSync(folder)) {
    const other = join(folder, name);
    const isOther = VERSION.test(name) && name !== kept;
    if (isOther && now - statSync(other).mtimeMs > KEPT_MS) rmSync(other, { recursive: true, force: true });
  }
}

/** @returns undefined if there is no file, or none that may be used */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    // Nothing that goes wrong with a cache may matter to what the program was asked for.
    return undefined;
  }
}

/**
 * Opens what V8 compiled of this program when it was last asked for the same: compiling it again is more than a third of a start.
 * The first run of a command only leaves an empty file, as many a command runs once, in a container; the next one records, and
 * later ones that load further files.
 */
export function openCompiledCode(run: CodeOptions): CompiledCode {
  const { env, build, engine, command, now, pid, uid, onExit } = run;
  // The variable with which people switch the same off in Node.js. Coverage by V8 is less exact for code that was kept.
  if (env.NODE_DISABLE_COMPILE_CACHE || env.NODE_V8_COVERAGE) return NOTHING;
  const all = attempt(() => codeFolder(run));
  if (all === undefined) return NOTHING;
  const tag = cachedDataVersionTag();
  const version = `compiled-${build}-${engine}-${tag.toString(16)}`;
  const file = join(all, version, command);
  const found = attempt(() => readOwn(file, uid));
  const kept = new Map(Object.entries((found && attempt(() => decode(found))) ?? {}));
  const loaded = new Map<string, () => CodeOfFile>();
  // What was compiled with other flags than those that the run began with would serve no other run.
  const isRecording = () =>
    found !== undefined && cachedDataVersionTag() === tag && [...loaded.keys()].some((name) => !kept.has(name));

  onExit(() =>
    attempt(() => {
      if (found === undefined) {
        for (const folder of [dirname(all), all, join(all, version)]) makeFolder(folder);
        writeWhole(file, () => Buffer.alloc(0), pid);
      } else if (isRecording()) {
        removeScratch(join(all, version), command);
        writeWhole(file, () => encode(Object.fromEntries([...kept, ...compile(loaded)])), pid);
        removeOld(all, version, now);
      }
    }),
  );
  return {
    isRecording,
    of(name, text) {
      const earlier = kept.get(name);
      if (earlier?.checksum === crc32(text)) return earlier.code;
      kept.delete(name);
      return undefined;
    },
    add: (name, text, script) => loaded.set(name, () => ({ code: script.createCachedData(), checksum: crc32(text) })),
  };
}
