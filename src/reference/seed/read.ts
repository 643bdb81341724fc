import { readFile } from 'node:fs/promises';
import { type Document, isMap, isPair, LineCounter, parseDocument } from 'yaml';
import type * as z from 'zod';
import { Fault, fileTrouble } from '../../domain/index.ts';
import { Seed } from './schema.ts';

const HINT = 'docs/reference-gateway.md describes the format.';

/** `accounts[0].quota`. */
const renderPath = (path: readonly PropertyKey[]): string =>
  path.map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index ? '.' : ''}${String(part)}`)).join('');

/** The position of the value at this path, or of the innermost value around it if it is missing. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | undefined {
  for (let length = path.length; length >= 0; length -= 1) {
    const node = document.getIn(path.slice(0, length), true) as { range?: readonly number[] } | undefined;
    if (node?.range) return node.range[0];
  }
  return undefined;
}

/** The position of an unknown field, rather than of the map that contains it. */
function offsetOfField(document: Document, path: readonly PropertyKey[], field: string): number | undefined {
  const map = path.length === 0 ? document.contents : document.getIn(path, true);
  const pair = isMap(map) ? map.items.find((item) => isPair(item) && String(item.key) === field) : undefined;
  return (pair?.key as { range?: readonly number[] } | undefined)?.range?.[0];
}

/** Renders one line for each issue: position, path and expectation, but never the value, which may be a secret. */
function renderIssues(
  file: string,
  document: Document,
  lines: LineCounter,
  issues: readonly z.core.$ZodIssue[],
): string {
  return issues
    .map((issue) => {
      const unknown = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
      const offset =
        unknown === undefined
          ? offsetOf(document, issue.path)
          : (offsetOfField(document, issue.path, unknown) ?? offsetOf(document, issue.path));
      const { line, col } = lines.linePos(offset ?? 0);
      const path = renderPath(issue.path);
      return `${file}:${line}:${col}: ${path === '' ? '' : `${path}: `}${issue.message}`;
    })
    .join('\n');
}

/**
 * Reads a seed file: YAML 1.2, validated.
 *
 * @throws Fault `usage.invalid` with a line for each mistake, also if the file cannot be read.
 */
export async function readSeed(file: string): Promise<Seed> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Fault('usage.invalid', `The seed file ${file} cannot be read: ${fileTrouble(cause)}.`, {
      cause,
      hint: 'Check the path of the seed file.',
    });
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) {
    const { line, col } = lines.linePos(broken.pos[0]);
    const problem = broken.message.split(/ at line |\n/)[0];
    throw new Fault('usage.invalid', `${file}:${line}:${col}: not YAML: ${problem}`, { hint: HINT });
  }
  const value: unknown = document.toJS() ?? {};
  const read = Seed.safeParse(value);
  if (!read.success) {
    throw new Fault('usage.invalid', renderIssues(file, document, lines, read.error.issues), { hint: HINT });
  }
  return value as Seed;
}

/** Validates a seed and fills in its defaults. @throws Fault `usage.invalid`. */
export function parseSeed(seed: Seed): ReturnType<typeof Seed.parse> {
  const read = Seed.safeParse(seed);
  if (read.success) return read.data;
  const problems = read.error.issues.map(({ path, message }) => `seed: ${renderPath(path)}: ${message}`);
  throw new Fault('usage.invalid', problems.join('\n'), { hint: HINT });
}
