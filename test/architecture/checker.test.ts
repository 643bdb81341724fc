import { describe, expect, it } from 'vitest';
import { cycles, importViolations } from './import-rules.ts';
import { commandLineWords, homonyms, troubleTypes } from './name-rules.ts';
import { readRooms } from './rooms.ts';
import {
  environmentReaders,
  functionLengths,
  linesOf,
  lonelyDoorExports,
  lonelyExports,
  namelessFiles,
  unusedByName,
  worldAskers,
  wrongWords,
} from './shape-rules.ts';

const TABLE = `
| room | what lives there | may import | packages | built-ins |
|---|---|---|---|---|
| \`nouns\` | nouns | | tiny | |
| \`verbs\` | verbs | nouns | @scope/big | node:crypto |
| \`shell\` | all | nouns, verbs | | * |
`;
const house = { rooms: readRooms(TABLE), publicExports: new Set(['keyplane', 'keyplane/reference']) };

const GOOD: Readonly<Record<string, string>> = {
  'src/index.ts': "export * from './nouns/index.ts';",
  'src/nouns/index.ts': "export * from './noun.ts';",
  'src/nouns/noun.ts': "import tiny from 'tiny'; import deep from 'tiny/deep.js'; export const noun = [tiny, deep];",
  'src/verbs/index.ts':
    "import { createHash } from 'node:crypto'; export { noun } from '../nouns/index.ts'; createHash;",
  'src/shell/main.ts': "import fs from 'node:fs'; fs; createRequire(import.meta.url)('keyplane/package.json');",
  'constructs/index.ts': "import { Construct } from 'constructs'; import './more.ts'; Construct;",
  'constructs/more.ts': 'export {};',
  'examples/a.ts':
    "import { readFile } from 'node:fs/promises'; import 'keyplane'; import 'keyplane/reference'; readFile;",
};

const violationsOf = (changed: Readonly<Record<string, string>>): readonly string[] =>
  importViolations(new Map(Object.entries({ ...GOOD, ...changed })), house);

describe('the import rules', () => {
  it('find nothing in a tree that keeps them', () => {
    expect(violationsOf({})).toEqual([]);
  });

  it.each([
    ['a room that the row does not allow', 'src/nouns/noun.ts', "import '../verbs/index.ts';", 'may not import room'],
    [
      'a type of such a room',
      'src/nouns/noun.ts',
      "import type { V } from '../verbs/index.ts';",
      'may not import room',
    ],
    ['a type in passing', 'src/nouns/noun.ts', "export type V = import('../verbs/index.ts').V;", 'may not import room'],
    ['a re-export of all', 'src/nouns/noun.ts', "export * from '../verbs/index.ts';", 'may not import room'],
    ['a re-export by name', 'src/nouns/noun.ts', "export { v } from '../verbs/index.ts';", 'may not import room'],
    [
      'a re-export of a type',
      'src/nouns/noun.ts',
      "export type { V } from '../verbs/index.ts';",
      'may not import room',
    ],
    ['a dynamic import', 'src/nouns/noun.ts', "await import('../verbs/index.ts');", 'may not import room'],
    [
      'a dynamic import in a template',
      'src/nouns/noun.ts',
      'await import(`../verbs/index.ts`);',
      'may not import room',
    ],
    ['a require', 'src/nouns/noun.ts', "require('../verbs/index.ts');", 'may not import room'],
    ['an import by assignment', 'src/nouns/noun.ts', "import v = require('../verbs/index.ts');", 'may not import room'],
    ['a computed import', 'src/shell/main.ts', "await import('./' + name);", 'computed'],
    ['a loader made to be kept', 'src/shell/main.ts', 'const load = createRequire(import.meta.url);', 'computed'],
    ['a loader made by hand', 'src/shell/main.ts', "createRequire(import.meta.url)('tiny');", 'the package tiny'],
    ['another door', 'src/verbs/index.ts', "import '../nouns/noun.ts';", 'not by its index.ts'],
    ['a package of another row', 'src/verbs/index.ts', "import 'tiny';", 'the package tiny'],
    ['a package of no row', 'src/shell/main.ts', "import '@scope/big/deep.js';", 'the package @scope/big'],
    ['a built-in of no row', 'src/verbs/index.ts', "import 'node:fs';", 'the built-in node:fs'],
    ['a built-in below an allowed one', 'src/verbs/index.ts', "import 'node:crypto/x';", 'the built-in'],
    ['a built-in without its prefix', 'src/verbs/index.ts', "import 'crypto';", 'the built-in crypto'],
    ['the package itself', 'src/shell/main.ts', "import 'keyplane';", 'the package keyplane'],
    ['a file that is not there', 'src/verbs/index.ts', "import './lost.ts';", 'not there'],
    ['a file without its extension', 'src/nouns/index.ts', "import './noun';", 'not there'],
    ['the door of the library', 'src/nouns/noun.ts', "import '../index.ts';", 'in no room'],
    ['constructs from src', 'src/shell/main.ts', "import '../../constructs/index.ts';", 'in no room'],
    ['src from constructs', 'constructs/more.ts', "import '../src/index.ts';", 'constructs may not import'],
    ['a package from constructs', 'constructs/more.ts', "import 'tiny';", 'constructs may not import'],
    ['a built-in from constructs', 'constructs/more.ts', "import 'node:fs';", 'constructs may not import'],
    ['src from an example', 'examples/a.ts', "import '../src/index.ts';", 'examples may not import'],
    ['a private path from an example', 'examples/a.ts', "import 'keyplane/dist/x.js';", 'examples may not import'],
    ['a package from an example', 'examples/a.ts', "import 'tiny';", 'examples may not import'],
    ['an inner file from the library’s door', 'src/index.ts', "export * from './nouns/noun.ts';", 'door may not'],
    ['an inner file from another door', 'src/reference.ts', "export * from './nouns/noun.ts';", 'door may not'],
    ['a package from the library’s door', 'src/index.ts', "export * from 'tiny';", 'door may not'],
    ['a file outside any room', 'src/loose.ts', 'export {};', 'outside any room'],
    ['a room that is not in the table', 'src/attic/index.ts', 'export {};', 'not a room of the table'],
  ])('find %s', (_, path, text, problem) => {
    const found = violationsOf({ [path]: text });
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(path);
    expect(found[0]).toContain(problem);
  });

  it('give the line of the import', () => {
    expect(violationsOf({ 'src/verbs/index.ts': "const one = 1;\n\nimport 'tiny';\none;" })[0]).toContain(
      'index.ts:3:',
    );
  });

  it('rejects a file that cannot be parsed', () => {
    expect(() => violationsOf({ 'src/nouns/noun.ts': 'import {' })).toThrow('src/nouns/noun.ts');
  });
});

describe('the search for cycles', () => {
  const cyclesIn = (tree: Readonly<Record<string, string>>) => cycles(new Map(Object.entries(tree)));

  it('finds none in a diamond', () => {
    const top = "import './b.ts'; import './c.ts';";
    expect(cyclesIn({ 'a.ts': top, 'b.ts': "import './d.ts';", 'c.ts': "import './d.ts';", 'd.ts': '' })).toEqual([]);
  });

  it('finds one of three files', () => {
    const tree = { 'a.ts': "import './b.ts';", 'b.ts': "export * from './c.ts';", 'c.ts': "await import('./a.ts');" };
    expect(cyclesIn(tree)).toEqual(['a.ts > b.ts > c.ts > a.ts']);
  });

  it('finds one that is made of types alone', () => {
    const tree = { 'a.ts': "import type { B } from './b.ts';", 'b.ts': "import type { A } from './a.ts';" };
    expect(cyclesIn(tree)).toEqual(['a.ts > b.ts > a.ts']);
  });

  it('finds a file that imports itself', () => {
    expect(cyclesIn({ 'a.ts': "import './a.ts';" })).toEqual(['a.ts > a.ts']);
  });

  it('finds one beyond a part that was already seen', () => {
    const tree = {
      'a.ts': "import './b.ts';",
      'b.ts': '',
      'c.ts': "import './b.ts'; import './d.ts';",
      'd.ts': "import './c.ts';",
    };
    expect(cyclesIn(tree)).toEqual(['c.ts > d.ts > c.ts']);
  });
});

describe('the table reader', () => {
  it('refuses a text without the table', () => {
    expect(() => readRooms('# Nothing here')).toThrow('no table');
  });

  it('refuses a row that names a room which is none', () => {
    expect(() => readRooms(`${TABLE.trimEnd()}\n| \`more\` | | cellar | | |`)).toThrow('cellar');
  });
});

describe('the rules of shape', () => {
  const one = (text: string) => new Map([['src/a.ts', text]]);

  it.each(['src/a/utils.ts', 'src/a/key-utils.ts', 'src/helpers/a.ts', 'src/a/types.ts', 'test/common.test.ts'])(
    'refuse the name %s',
    (path) => expect(namelessFiles([path])).toEqual([path]),
  );

  it('allow a name that holds such a word only in part', () => {
    expect(namelessFiles(['src/a/prototypes.ts', 'src/a/uncommon.ts'])).toEqual([]);
  });

  it.each([
    '// a mock of it',
    'const mockStore = 1;',
    'const fakeGateway = 1;',
    '// the target state',
    '// actual state',
    '// TODO',
  ])('refuse the words in: %s', (line) =>
    expect(wrongWords(one(`const a = 1;\n${line}`))).toEqual([expect.stringContaining('src/a.ts:2')]),
  );

  it.each(['const _a = 1;', 'export const _a = 1;', 'async function _a() {}', 'class _A {}'])(
    'find the unused: %s',
    (line) => expect(unusedByName(one(`const a = 1;\n${line}`))).toEqual(['src/a.ts:2']),
  );

  it('leave names alone that are only skipped over', () => {
    expect(unusedByName(one('const f = (_a: number) => 1;\n  const _inner = 1;'))).toEqual([]);
  });

  it.each([
    'process.env.HOME',
    "process['env']",
    'const { env } = process;',
    "import { env } from 'node:process';",
    'fun(process.env);',
  ])('find the reader of the environment in: %s', (text) => {
    expect(environmentReaders(one(text))).toEqual(['src/a.ts:1']);
  });

  it('leave an environment alone that came in as a parameter', () => {
    expect(environmentReaders(one('const { env } = settings; settings.env.HOME; process.exit;'))).toEqual([]);
  });

  it.each(['Date.now()', 'new Date()', 'Math.random()', 'crypto.randomUUID()', 'performance.now()'])(
    'find who asks for the time or for chance in: %s',
    (text) => expect(worldAskers(one(`const x = ${text};`))).toEqual(['src/a.ts:1']),
  );

  it('leave a date alone that is made of a number', () => {
    expect(worldAskers(one('new Date(at * 1000).getUTCMonth(); clock.now(); Date.UTC(2026, 1);'))).toEqual([]);
  });

  it('find what is exported for nobody, and not what a door or another file names', () => {
    const tree = {
      'src/a.ts': 'export const one = 1;\nexport async function two() {}\nexport class Three {}\nexport type Four = 4;',
      'src/b.ts': "import { two } from './a.ts'; two();",
      'src/index.ts': "export { Three } from './a.ts'; export * from './b.ts';",
    };
    expect(lonelyExports(new Map(Object.entries(tree)))).toEqual(['src/a.ts: one']);
  });

  it('find what a door passes on for nobody, whatever other files use inside of the room', () => {
    const tree = {
      'src/a/index.ts': "export { one, two, type Three } from './inner.ts';\nexport {\n  four,\n} from './inner.ts';",
      'src/a/inner.ts': 'export const one = 1, two = one;',
      'src/b.ts': "import { two } from './a/index.ts'; (await import('./a/index.ts')).four(two);",
      'src/c.ts': "import { one } from './other/index.ts';",
      'src/whole/index.ts': "export { five } from './inner.ts';",
      'src/parts.ts': "export * from './whole/index.ts';",
    };
    expect(lonelyDoorExports(new Map(Object.entries(tree)))).toEqual(['src/a/index.ts: one']);
  });

  it('measure functions and files in lines', () => {
    expect(functionLengths(one('const a = () => 1;\nfunction b() {\n  return 2;\n}\n'))).toEqual([
      { at: 'src/a.ts:2', lines: 3 },
      { at: 'src/a.ts:1', lines: 1 },
    ]);
    expect([linesOf('a'), linesOf('a\n'), linesOf('a\nb\n')]).toEqual([1, 1, 2]);
  });
});

describe('the rules of names', () => {
  const tree = (files: Readonly<Record<string, string>>) => new Map(Object.entries(files));

  it.each([
    ['a type that another room exports', 'interface A {}', 'export type A = 1;'],
    ['an interface of the name of a class in another room', 'export class A {}', 'interface A {}'],
  ])('find %s', (_, first, second) => {
    const found = homonyms(tree({ 'src/a/one.ts': first, 'src/b/two.ts': second }));
    expect(found).toEqual(['A: src/a/one.ts, src/b/two.ts']);
  });

  it('find a name that three files declare for themselves', () => {
    const files = { 'src/a/one.ts': 'type A = 1;', 'src/a/two.ts': 'type A = 2;', 'src/a/three.ts': 'type A = 3;' };
    expect(homonyms(tree(files))).toHaveLength(1);
  });

  it('allow re-exports, a schema with the type of its name, and two names that no other file sees', () => {
    const files = {
      'src/a/index.ts': "export { type A } from './one.ts';",
      'src/a/one.ts': 'export const A = 1; export type A = typeof A; type B = 1;',
      'src/b/two.ts': "import type { A } from '../a/index.ts'; type B = A;",
    };
    expect(homonyms(tree(files))).toEqual([]);
  });

  it('find an interface with the shape of trouble, and no extension of one', () => {
    const files = {
      'src/a/one.ts': 'export interface A { readonly path: string; readonly message: string }',
      'src/a/two.ts': 'interface B extends A { readonly path: string } interface C { readonly message: string }',
    };
    expect(troubleTypes(tree(files))).toEqual(['src/a/one.ts: A']);
  });

  const placesIn = (text: string) => commandLineWords(tree({ 'src/a/one.ts': text }), ['check', 'plan']);

  it.each([
    "const a = 'pass --costly';",
    'const a = `use keyplane check ${b}`;',
    "const a = 'keyplane plan';",
    "f({ hint: 'Exit code 4 means drift.' });",
  ])('find the command line in %s', (text) => {
    expect(placesIn(text)).toEqual(['src/a/one.ts:1']);
  });

  it.each([
    '// see --costly',
    "const a = 'a--b';",
    "const a = 'keyplane is ready';",
    "const a = 'keyplane/checks';",
    "const a = 'Keyplane checks it';",
  ])('find no command line in %s', (text) => {
    expect(placesIn(text)).toEqual([]);
  });
});
