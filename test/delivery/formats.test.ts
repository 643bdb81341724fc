import { describe, expect, it } from 'vitest';
import { isMap, isScalar, parseDocument } from 'yaml';
import { dotenv } from '../../src/delivery/file/dotenv.ts';
import type { EntryFormat } from '../../src/delivery/file/entry-format.ts';
import { structured } from '../../src/delivery/file/structured.ts';

type Row = readonly [title: string, before: string | undefined, after: string];

const DOTENV: readonly Row[] = [
  ['a new file', undefined, 'KEY=new\n'],
  ['an empty file', '', 'KEY=new\n'],
  ['a file without a last line break', 'A=1', 'A=1\nKEY=new\n'],
  ['Windows line breaks', 'A=1\r\nKEY=old\r\nB=2\r\n', 'A=1\r\nKEY=new\r\nB=2\r\n'],
  ['a byte order mark', '\ufeffKEY=old\n', '\ufeffKEY=new\n'],
  ['an export', 'export KEY=old # why\n', 'export KEY=new # why\n'],
  ['spaces around the sign', '  KEY = old  \n', '  KEY = new  \n'],
  ['double quotes', 'KEY="old # not a comment" # why\n', 'KEY=new # why\n'],
  ['single quotes', "KEY='old'\n", 'KEY=new\n'],
  ['a value of several lines', 'A="x\nKEY=inside\n"\nKEY="one\ntwo"\nB=2\n', 'A="x\nKEY=inside\n"\nKEY=new\nB=2\n'],
  ['an escaped quote', 'A="x\\"\nKEY=inside"\nKEY=old\n', 'A="x\\"\nKEY=inside"\nKEY=new\n'],
  ['an empty entry', 'KEY=\nB=2\n', 'KEY=new\nB=2\n'],
  ['an empty entry with a comment', 'KEY=#todo\nB=2\n', 'KEY=new #todo\nB=2\n'],
  ['an empty entry with a comment after a space', 'KEY= # todo\n', 'KEY=new # todo\n'],
  ['an empty entry with a space', 'KEY= \nB=2\n', 'KEY=new \nB=2\n'],
  ['text after the closing quote', 'KEY="old"tail # why\nB=2\n', 'KEY=new # why\nB=2\n'],
  ['several quoted parts', 'A="x"y\nKEY=\'ol\'"d"\nB=2\n', 'A="x"y\nKEY=new\nB=2\n'],
  [
    'a value of several lines with a name of digits',
    '1A="\nKEY=inside\n"\nKEY=old\n',
    '1A="\nKEY=inside\n"\nKEY=new\n',
  ],
  ['a commented entry', '# KEY=old\nB=2\n', '# KEY=old\nB=2\nKEY=new\n'],
  ['a name that begins the same', 'KEY_TWO=2\nMY_KEY=3\n', 'KEY_TWO=2\nMY_KEY=3\nKEY=new\n'],
  ['lines of other kinds', 'source other\n\n%%%\n', 'source other\n\n%%%\nKEY=new\n'],
];

const YAML: readonly Row[] = [
  ['a new file', undefined, 'KEY: "new"\n'],
  ['a file of comments', '# a\n', '# a\nKEY: "new"\n'],
  [
    'comments and order',
    '# top\nA: 1 # one\nKEY: old # why\nB: [1,  2]\n',
    '# top\nA: 1 # one\nKEY: "new" # why\nB: [1,  2]\n',
  ],
  ['a quoted key', '"KEY": \'old\'\nB: 2\n', '"KEY": "new"\nB: 2\n'],
  ['a value of several lines', 'KEY: |\n  one\n  two\nB: 2\n', 'KEY: "new"\nB: 2\n'],
  ['an anchor that nobody uses', 'KEY: &k old\nB: 2\n', 'KEY: &k "new"\nB: 2\n'],
  ['an alias', 'A: &a old\nKEY: *a\n', 'A: &a old\nKEY: "new"\n'],
  ['a merged map', 'base: &b { KEY: old }\n<<: *b\n', 'base: &b { KEY: old }\n<<: *b\nKEY: "new"\n'],
  ['a flow map', '{ A: 1 }\n', '{ A: 1, KEY: "new" }\n'],
  ['an empty entry', 'KEY:\nB: 2\n', 'KEY: "new"\nB: 2\n'],
  ['an indented map', '  A: 1\n  B: 2\n', '  A: 1\n  B: 2\n  KEY: "new"\n'],
];

const JSON_ROWS: readonly Row[] = [
  ['a new file', undefined, '{\n  "KEY": "new"\n}\n'],
  ['an empty object', '{}\n', '{\n  "KEY": "new"\n}\n'],
  ['an entry', '{ "A": 1.50, "KEY": "old" }', '{ "A": 1.50, "KEY": "new" }'],
  ['several lines', '{\n\t"A": 1,\n\t"B": 2\n}\n', '{\n\t"A": 1,\n\t"B": 2,\n\t"KEY": "new"\n}\n'],
  ['an entry of another object', '{ "A": { "KEY": "old" } }', '{ "A": { "KEY": "old" }, "KEY": "new" }'],
  ['an escaped name', '{ "\\u004bEY": "old" }', '{ "\\u004bEY": "new" }'],
  ['null', '{ "KEY": null }', '{ "KEY": "new" }'],
];

const FORMATS: readonly (readonly [string, EntryFormat, readonly Row[]])[] = [
  ['dotenv', dotenv('KEY'), DOTENV],
  ['YAML', structured('yaml', 'KEY'), YAML],
  ['JSON', structured('json', 'KEY'), JSON_ROWS],
];

describe.each(FORMATS)('an entry of a %s file', (_name, format, rows) => {
  it.each(rows)('is set, and everything else stays: %s', (_title, before, after) => {
    const written = format.set(before, 'new');
    expect(written).toBe(after);
    expect(format.find(written)).toBe('new');
    expect(format.set(written, 'new')).toBe(written);
  });

  it('is refused with characters that a reader would interpret', () => {
    for (const value of ['a b', 'a\nb', '$(id)', 'a"b', "a'b", 'a#b', 'a\\b', '']) {
      expect(() => format.set('', value)).toThrow(/characters/);
    }
  });
});

describe('an ambiguous or malformed file', () => {
  it.each([
    ['an entry that is assigned twice', dotenv('KEY'), 'KEY=a\nexport KEY=b\n'],
    ['a quote without an end', dotenv('KEY'), 'A="x\nKEY=old\n'],
    ['a value of several lines with text after its quote', dotenv('KEY'), 'KEY="a\nb"c\n'],
    ['a quote that a backslash may escape', dotenv('KEY'), 'A="C:\\dir\\"\nKEY=old\nB="x"\n'],
    ['duplicate names in JSON', structured('json', 'KEY'), '{ "KEY": "a", "KEY": "b" }'],
    ['other duplicate names in JSON', structured('json', 'KEY'), '{ "A": 1, "A": 2 }'],
    ['comments in JSON', structured('json', 'KEY'), '{ // why\n "KEY": "a" }'],
    ['a list in JSON', structured('json', 'KEY'), '["KEY"]'],
    ['duplicate names in YAML', structured('yaml', 'KEY'), 'KEY: a\nKEY: b\n'],
    ['two documents in YAML', structured('yaml', 'KEY'), 'KEY: a\n---\nKEY: b\n'],
    ['an anchor that another entry uses', structured('yaml', 'KEY'), 'KEY: &k old\nB: *k\n'],
    ['a list in YAML', structured('yaml', 'KEY'), '- KEY\n'],
    ['an end of the document', structured('yaml', 'KEY'), 'A: 1\n...\n'],
    ['a broken text', structured('yaml', 'KEY'), 'A: [1\n'],
    ['an entry that is a map', structured('yaml', 'KEY'), 'KEY: { a: 1 }\n', 'find'],
  ] as const)('is refused: %s', (_title, format, text, how: 'set' | 'find' = 'set') => {
    expect(() => (how === 'find' ? format.find(text) : format.set(text, 'new'))).toThrow();
  });
});

describe('a removed entry', () => {
  it.each([
    ['dotenv', dotenv('KEY'), 'A=1\nKEY="a\nb" # c\nB=2\n', 'A=1\nB=2\n'],
    ['the only entry of a dotenv', dotenv('KEY'), 'KEY=a\n', undefined],
    ['YAML', structured('yaml', 'KEY'), '# top\nA: 1\nKEY: old # why\nB: 2\n', '# top\nA: 1\nB: 2\n'],
    ['the last of a flow map', structured('yaml', 'KEY'), '{ A: 1, KEY: old }\n', '{ A: 1 }\n'],
    ['JSON', structured('json', 'KEY'), '{\n  "KEY": "old",\n  "A": 1\n}\n', '{\n  "A": 1\n}\n'],
    ['the last of JSON', structured('json', 'KEY'), '{ "A": 1, "KEY": "old" }', '{ "A": 1 }'],
    ['the only entry of JSON', structured('json', 'KEY'), '{ "KEY": "old" }', undefined],
    ['a missing entry', structured('json', 'KEY'), '{ "A": 1 }', '{ "A": 1 }'],
  ])('leaves the others: %s', (_title, format, before, after) => {
    expect(format.remove(before)).toBe(after);
  });
});

describe('a name that readers of YAML 1.1 take for another value', () => {
  it.each(['on', 'No', 'y', 'NULL', 'true', '1_000', '0b11', '1e3', '-1', '.5'])('is text for them: %s', (name) => {
    const format = structured('yaml', name);
    for (const before of [undefined, 'A: 1\n', '{ A: 1 }\n']) {
      const text = format.set(before, 'secret');
      const document = parseDocument(text, { version: '1.1' });
      const last = isMap(document.contents) ? document.contents.items.at(-1) : undefined;
      expect(isScalar(last?.key) && last.key.value).toBe(name);
      expect([format.find(text), document.errors]).toEqual(['secret', []]);
      expect(format.set(text, 'other')).toBe(text.replace('secret', 'other'));
    }
  });
});
