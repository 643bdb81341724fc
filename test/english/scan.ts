import { parseSync } from 'oxc-parser';
import { readRoot, readTree } from '../architecture/repository.ts';
import { isIdentifier, lineAt, type SyntaxNode, walk } from '../architecture/syntax.ts';
import { DOCSTRING, NAMES, PROSE, PUBLIC_NAMES, WHOLE_NAMES } from './rules.ts';

export interface Hit {
  readonly path: string;
  readonly line: number;
  readonly found: string;
  readonly instead: string;
}

type Found = Omit<Hit, 'path'>;

const FOLDERS = ['src', 'constructs/cdk', 'scripts', 'test', 'docs', 'examples', '.changeset'];
const ENDINGS = ['.ts', '.mjs', '.cjs', '.md', '.yaml', '.tf', '.sh'];
const PAGES = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'ARCHITECTURE.md', 'CHANGELOG.md'];

/** Files that quote the banned words, the output of our own source, and a server's output. */
const OMITTED = /^test\/(?:english|golden\/)|^src\/library\/gen\/|^docs\/reference\/transcripts-/;

/** Every file that people read, by path. */
export function readableFiles(): ReadonlyMap<string, string> {
  const tree = readTree(FOLDERS, ENDINGS);
  const all = [...tree, ...PAGES.map((page) => [page, readRoot(page)] as const)];
  return new Map(all.filter(([path]) => !OMITTED.test(path)));
}

/** A run of whitespace, over the stars of a comment and the marks of a list or a quotation, reads as one space. */
const LINE_BREAK = /[ \t]*\n[ \t]*(?:\*(?!\/)|\/\/|#|>)?[ \t]*/g;

/** Stands for the rest of a line break, so that positions stay as they are until something was found. */
const FILLER = '\u0000';

/** The position in a text with fillers of what is at `index` without them. */
function positionIn(filled: string, index: number): number {
  let at = 0;
  for (let left = index; left > 0 || filled[at] === FILLER; at += 1) if (filled[at] !== FILLER) left -= 1;
  return at;
}

const RULES = PROSE.map(({ pattern, instead }) => ({ every: new RegExp(pattern, `${pattern.flags}g`), instead }));

/** Matches of the rules in running text, with their lines in it; line breaks count as spaces. */
function proseHits(text: string): readonly Found[] {
  const filled = text.replace(LINE_BREAK, (gap) => ' '.padEnd(gap.length, FILLER));
  const squeezed = filled.replaceAll(FILLER, '');
  return RULES.flatMap(({ every, instead }) =>
    [...squeezed.matchAll(every)].map((match) => ({
      line: lineAt(text, positionIn(filled, match.index)),
      found: match[0],
      instead,
    })),
  );
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);

function nameHits(name: string, line: number): Found[] {
  const whole = Object.hasOwn(WHOLE_NAMES, name) ? WHOLE_NAMES[name] : undefined;
  if (whole !== undefined) return [{ line, found: name, instead: whole }];
  return wordsOf(name).flatMap((word) => {
    const instead = Object.hasOwn(NAMES, word) ? NAMES[word] : undefined;
    return instead === undefined ? [] : [{ line, found: `${name} (“${word}”)`, instead }];
  });
}

const isSource = (node: SyntaxNode, parent: SyntaxNode | undefined): boolean => parent?.source === node;

function docstringHits(comment: string): Found[] {
  const begins = DOCSTRING.pattern.exec(comment.replace(/^\*[\s*]*/, ''));
  return begins ? [{ line: 1, found: `/** ${begins[0]} …`, instead: DOCSTRING.instead }] : [];
}

interface Comment {
  readonly type: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** Joins the `//` comments of neighbouring lines: a sentence goes on across them. */
function joinLines(comments: readonly Comment[], text: string): readonly Comment[] {
  const joined: Comment[] = [];
  for (const comment of comments) {
    const last = joined.at(-1);
    const gap = last ? text.slice(last.end, comment.start) : '';
    if (last?.type === 'Line' && comment.type === 'Line' && /^\r?\n[ \t]*$/.test(gap))
      joined[joined.length - 1] = { ...last, value: text.slice(last.start + 2, comment.end), end: comment.end };
    else joined.push(comment);
  }
  return joined;
}

/** Comments, strings, templates and the names that a program declares. A name is reported once for each file. */
function programHits(path: string, text: string): Found[] {
  const { program, comments } = parseSync(path, text);
  const names = new Map<string, number>();
  const below = (start: number, found: readonly Found[]): readonly Found[] =>
    found.map((hit) => ({ ...hit, line: lineAt(text, start) + hit.line - 1 }));
  const hits = joinLines(comments, text).flatMap(({ type, value, start }) => {
    const docstring = type === 'Block' && value.startsWith('*');
    return below(start, [...proseHits(value), ...(docstring ? docstringHits(value) : [])]);
  });
  for (const [node, parent] of walk(program as unknown as SyntaxNode)) {
    if (node.type === 'Literal' && typeof node.value === 'string' && !isSource(node, parent))
      hits.push(...below(node.start, proseHits(node.value)));
    if (node.type === 'TemplateElement')
      hits.push(...below(node.start, proseHits((node.value as { raw: string }).raw)));
    if (typeof node.name === 'string' && isIdentifier(node, node.name) && !names.has(node.name))
      names.set(node.name, lineAt(text, node.start));
  }
  return [...hits, ...[...names].flatMap(([name, line]) => nameHits(name, line))];
}

const PROGRAM = /\.(?:m?ts|mjs|cjs)$/;

/** The hits of one file, the name of the file included. */
export function hitsIn(path: string, text: string): readonly Hit[] {
  const body = PROGRAM.test(path) ? programHits(path, text) : proseHits(text);
  const file = path.split('/').flatMap((part) => nameHits(part.replace(/\..*$/, ''), 1));
  return [...file, ...body]
    .filter(({ found }) => !PUBLIC_NAMES.has(`${path}: ${found}`))
    .map((hit) => ({ path, ...hit }))
    .sort((a, b) => a.line - b.line);
}
