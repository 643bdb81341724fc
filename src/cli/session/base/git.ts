import { execFile, spawn } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { Fault } from '../../../domain/index.ts';
import { isWithin } from '../../../source/index.ts';
import { printable, quoted } from '../../output/layout/printable.ts';
import type { Environment } from '../io.ts';
import { CREDENTIAL_VARIABLES } from '../settings.ts';

/** The folder and the environment that git runs in. */
export interface GitContext {
  readonly cwd: string;
  readonly env: Environment;
}

/** A file as one commit has it. */
export interface CommittedFile {
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly object: string;
  readonly size: number;
  readonly isPlain: boolean;
}

const TIME_LIMIT_MS = 60_000;
const OUTPUT_LIMIT = 64 * 1024 * 1024;

/** The credentials of sinks: git reads a repository of this machine, and runs the programs that its settings name. */
const OF_SINKS = new Set<string>([
  ...CREDENTIAL_VARIABLES.flatMap((name) => [name, `${name}_FILE`]),
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
]);

/** Git's environment: no credentials of Keyplane and its sinks, no questions, English messages. */
function environment({ env }: GitContext): NodeJS.ProcessEnv {
  const own = Object.entries(env).filter(([name]) => !name.startsWith('KEYPLANE_') && !OF_SINKS.has(name));
  return { ...Object.fromEntries(own), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' };
}

const options = (context: GitContext) =>
  ({ cwd: context.cwd, env: environment(context), windowsHide: true, timeout: TIME_LIMIT_MS }) as const;

type Ran = { readonly ok: true; readonly out: string } | { readonly ok: false; readonly trouble: string };

function run(context: GitContext, words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile('git', [...words], { ...options(context), maxBuffer: OUTPUT_LIMIT }, (error, stdout, stderr) => {
      if (!error) return resolve({ ok: true, out: stdout });
      if (error.code === 'ENOENT') return resolve({ ok: false, trouble: 'git is not installed' });
      const [line = ''] = stderr.trim().split('\n');
      resolve({ ok: false, trouble: line.replace(/^fatal: /, '') });
    });
  });
}

/**
 * The reason not to ask the repository of this folder for objects. A commit can hold the files of a repository without a work tree: git takes
 * a working folder with such files for one, and runs the programs that its settings name. This question runs none.
 */
async function whyUnsafe(context: GitContext): Promise<string | undefined> {
  const ran = await run(context, ['rev-parse', '--absolute-git-dir']);
  if (!ran.ok) return ran.trouble;
  const folder = ran.out.replace(/\r?\n$/, '');
  const [repository, cwd] = await Promise.all([realpath(folder), realpath(context.cwd)]);
  return isWithin(repository, cwd)
    ? `${quoted(folder)} has the files of a repository, and the working folder is in it`
    : undefined;
}

const failed = (what: string, trouble: string): Fault =>
  new Fault('usage.invalid', `--base: ${what}: ${printable(trouble || 'git failed')}.`, {
    hint: 'A git ref requires git and a clone that has it; a file needs neither.',
  });

/** The top folder of the repository. @throws Fault `usage.invalid` */
export async function topFolder(context: GitContext): Promise<string> {
  const ran = await run(context, ['rev-parse', '--show-toplevel']);
  if (ran.ok) return ran.out.replace(/\r?\n$/, '');
  throw failed('cannot find the repository of this folder', ran.trouble);
}

/** The commit that a ref names, or the reason why git does not know it. */
export async function findCommit(ref: string, context: GitContext): Promise<{ id: string } | { trouble: string }> {
  const trouble = await whyUnsafe(context);
  if (trouble !== undefined) return { trouble };
  const ran = await run(context, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  const id = ran.ok ? /^[0-9a-f]{40,64}$/m.exec(ran.out)?.[0] : undefined;
  return id === undefined ? { trouble: ran.ok ? '' : ran.trouble } : { id };
}

/** The commit that holds these files exactly as they are; undefined without git, or where one differs. */
export async function tryCommitOf(files: readonly string[], context: GitContext): Promise<string | undefined> {
  if ((await whyUnsafe(context)) !== undefined) return undefined;
  const status = await run(context, ['status', '--porcelain', '--ignored', '--', ...files]);
  if (!status.ok || status.out !== '') return undefined;
  const commit = await findCommit('HEAD', context);
  return 'id' in commit ? commit.id : undefined;
}

const PLAIN_MODE = /^100/;

/** Lists the files of a commit at and below a path. */
export async function listFiles(commit: string, path: string, context: GitContext): Promise<readonly CommittedFile[]> {
  const below = path === '' ? [] : ['--', path];
  const ran = await run(context, ['ls-tree', '-r', '-l', '-z', '--full-tree', commit, ...below]);
  if (!ran.ok) throw failed('cannot list the files of the commit', ran.trouble);
  return ran.out.split('\0').flatMap((line) => {
    const [, mode = '', object = '', size = '', name = ''] = /^(\d+) \w+ (\w+) +(-|\d+)\t(.*)$/s.exec(line) ?? [];
    return name === '' ? [] : [{ path: name, object, size: Number(size) || 0, isPlain: PLAIN_MODE.test(mode) }];
  });
}

/** Splits the answer of `cat-file --batch`: a line with object, type and size, then the bytes and a newline. */
function* batched(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0x0a, at);
    const size = / (\d+)$/.exec(bytes.toString('latin1', at, end))?.[1];
    if (end < 0 || size === undefined) return;
    yield bytes.subarray(end + 1, end + 1 + Number(size));
    at = end + 1 + Number(size) + 1;
  }
}

/** Reads files of a commit, in the order given, exactly as they are stored: no filter of the repository runs. */
export function readFiles(files: readonly CommittedFile[], context: GitContext): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', ['cat-file', '--batch'], { ...options(context), stdio: ['pipe', 'pipe', 'ignore'] });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= OUTPUT_LIMIT) return void chunks.push(chunk);
      child.kill();
      reject(failed('cannot read the files of the commit', `they are larger than ${OUTPUT_LIMIT / 1024 / 1024} MiB`));
    });
    child.stdin.on('error', () => {});
    child.on('error', (error) => reject(failed('cannot read the files of the commit', error.message)));
    child.on('close', () => {
      const read = [...batched(Buffer.concat(chunks))];
      if (read.length === files.length) resolve(read);
      else reject(failed(`cannot read ${quoted(files[read.length]?.path ?? '')}`, 'git does not have its content'));
    });
    child.stdin.end(files.map(({ object }) => `${object}\n`).join(''));
  });
}
