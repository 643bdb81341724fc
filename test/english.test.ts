import { describe, expect, it } from 'vitest';
import { type Hit, hitsIn, readableFiles } from './english/scan.ts';

const render = ({ path, line, found, instead }: Hit): string => `${path}:${line}: ${found} → ${instead}`;
const found = (path: string, text: string): readonly string[] => hitsIn(path, text).map((hit) => hit.found);

describe('the English of the repository', () => {
  it('has no wording of the ban list; `npx tsx scripts/english.ts <path>` lists the places', () => {
    const hits = [...readableFiles()].flatMap(([path, text]) => hitsIn(path, text));
    expect(hits.map(render)).toEqual([]);
  });
});

describe('the ban list', () => {
  it.each([
    ['can not', 'It can not be read.', ['can not']],
    ['can not', 'It can\n> not be read.', ['can not']],
    ['is no + noun', 'This is no key. Those are no keys.', ['is no', 'are no']],
    ['tell', 'What the key told; it tells.', ['told', 'tells']],
    ['say', 'It says so, as said.', ['says', 'said']],
    ['stand', 'It stands there.', ['stands']],
    ['leave away', 'Leave it away; it was left away.', ['Leave it away', 'left away']],
    ['at once', 'Two runs at once, many at once.', ['Two runs at once', 'many at once']],
    ['does not take this', '`x` does not take this.', ['does not take this']],
  ])('finds “%s” in a page', (_, text, expected) => {
    expect(found('docs/a.md', text)).toEqual(expected);
  });

  it.each([
    'It cannot be read.',
    'There is no key. There are no keys. It is no longer there, and is no more than a byte.',
    'A standalone, standard, long-standing and understandable stand-in stands for it.',
    'It stops at once. Besides, it foretells nothing: a website, a parking lot, an essay.',
    'Recommended, amended, dependent.',
  ])('accepts “%s”', (text) => {
    expect(found('docs/a.md', text)).toEqual([]);
  });

  it('finds docstrings that begin with “What”, and no other comment', () => {
    expect(found('a.ts', '/** What it is. */\nexport const a = 1;')).toEqual(['/** What …']);
    expect(found('a.ts', '// What it is.\nexport const a = 1;')).toEqual([]);
    expect(found('a.ts', '/** Whatever it is. */\nexport const a = 1;')).toEqual([]);
  });

  it('reads a comment across its lines', () => {
    expect(found('a.ts', '/**\n * It can\n * not be.\n */')).toEqual(['can not']);
    expect(found('a.ts', '// It can\n// not be.')).toEqual(['can not']);
  });

  it('finds wording in strings, templates and test titles, with its line', () => {
    const text = "import './told.ts';\nconst a = 'it is told';\nit(`can ${a} not say`, () => {});";
    expect(hitsIn('a.ts', text).map(({ line, found: word }) => `${line} ${word}`)).toEqual(['2 told', '3 say']);
  });

  it('finds words in identifiers, once for each file, and in names of files and folders', () => {
    const text = 'const isToldAgain = 1; f(isToldAgain); interface Sabotage {} type Site = constructor;';
    expect(found('src/desk/price-scout.ts', text)).toEqual([
      'desk (“desk”)',
      'price-scout (“scout”)',
      'isToldAgain (“told”)',
      'Sabotage (“sabotage”)',
      'Site',
    ]);
  });
});
