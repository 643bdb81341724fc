import { describe, expect, it } from 'vitest';
import { TREE } from '../src/cli/program/tree.ts';
import { cycles, importViolations } from './architecture/import-rules.ts';
import { importersOf } from './architecture/imports.ts';
import { commandLineWords, homonyms, troubleTypes } from './architecture/name-rules.ts';
import { readRoot, readTree } from './architecture/repository.ts';
import { readRooms } from './architecture/rooms.ts';
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
} from './architecture/shape-rules.ts';
import { portWrites, writingExports } from './architecture/write-rules.ts';

const manifest = JSON.parse(readRoot('package.json')) as {
  name: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  exports: Record<string, unknown>;
};
const rooms = readRooms(readRoot('ARCHITECTURE.md'));
const publicExports = new Set(Object.keys(manifest.exports).map((path) => path.replace(/^\./, manifest.name)));
const house = { rooms, publicExports };
const source = readTree(['src'], ['.ts']);
const shipped = readTree(['src', 'constructs', 'examples'], ['.ts', '.mjs', '.js']);

/** A function may be this long; house style asks for less. */
const FUNCTION_LIMIT = 60;
const FILE_LIMIT = 400;

describe('the rooms', () => {
  it('import only what the table in ARCHITECTURE.md allows', () => {
    expect(source.size).toBeGreaterThan(20);
    expect(importViolations(shipped, house)).toEqual([]);
  });

  it('have no cycle between files, type-only imports too', () => {
    expect(cycles(shipped)).toEqual([]);
  });

  it('each have a door', () => {
    const doorless = [...rooms.keys()].filter((room) => !source.has(`src/${room}/index.ts`));
    // These are entered by their main.ts, as programs: nobody imports them.
    const programs = ['cli', 'terraform'];
    expect(doorless.filter((room) => !programs.includes(room))).toEqual([]);
    for (const room of programs) expect(source.has(`src/${room}/main.ts`)).toBe(true);
  });

  it('use every dependency of the package, and otherwise only what the build can bundle', () => {
    const allowed = new Set([...rooms.values()].flatMap((room) => [...room.packages]));
    const { dependencies, devDependencies } = manifest;
    expect(Object.keys(dependencies).filter((name) => !allowed.has(name))).toEqual([]);
    expect([...allowed].filter((name) => !(name in dependencies || name in devDependencies))).toEqual([]);
  });
});

/** Stores of one call or one run over another store: what they pass on comes from a verb of the engine. */
const STORES_OVER_STORES = [
  'src/client/remembering-store.ts',
  'src/terraform/keyplane/store/one-key.ts',
  'src/terraform/keyplane/store/shared-store.ts',
  'src/terraform/keyplane/store/timed-store.ts',
];

describe('writes to an account', () => {
  const roomOf = (path: string): string => path.split('/')[1] ?? '';
  const importers = importersOf(source, ['createEngine', 'createKeyplane', 'openKeyWriter']);

  it('of a manifest come from the engine, which the library alone opens and the command line drives through createKeyplane', () => {
    expect(importers.createEngine).toEqual(['src/library/runs.ts']);
    expect(importers.createKeyplane?.filter((path) => roomOf(path) !== 'library')).toEqual([
      'src/cli/commands/check.ts',
      'src/cli/session/keyplane.ts',
    ]);
  });

  it('of single keys come from the writer of the engine: for programs, commands on keys and resources of Terraform', () => {
    expect([...new Set(importers.openKeyWriter?.map(roomOf))]).toEqual(['cli', 'client', 'terraform']);
    expect(importers.openKeyWriter?.filter((path) => path.startsWith('src/terraform/'))).toEqual([
      'src/terraform/keyplane/key/write/apply-plan.ts',
    ]);
  });

  it('come through the engine alone: no other room imports a verb of reconcile that writes, found by what it calls', () => {
    const verbs = writingExports('src/reconcile/index.ts', source);
    expect(verbs).toEqual(['apply', 'claimLock', 'deliverSecret', 'settleEarlierCreates', 'settleTwins']);
    const found = Object.values(importersOf(source, verbs)).flat();
    const rooms = [...new Set(found.map(roomOf))].filter((room) => room !== 'reconcile').sort();
    // The library takes the locks that it gives to the engine.
    expect(rooms).toEqual(['engine', 'library']);
    expect(importersOf(source, ['claimLock']).claimLock?.filter((path) => roomOf(path) === 'library')).toEqual([
      'src/library/locks.ts',
    ]);
  });

  it('are not sent by a front end itself, except to release a lock', () => {
    const outer = new Map(
      [...source].filter(([path]) => ['cli', 'client', 'library', 'terraform'].includes(roomOf(path))),
    );
    const places = [...new Set(portWrites(outer).map((place) => place.split(':')[0] ?? ''))];
    expect(places.filter((path) => !STORES_OVER_STORES.includes(path))).toEqual(['src/cli/commands/lock.ts']);
    expect(places.filter((path) => STORES_OVER_STORES.includes(path))).toEqual(STORES_OVER_STORES);
  });

  it('are found whatever way leads to them', () => {
    const tree = new Map([
      ['src/a/index.ts', "export { far as near, pure } from './b.ts';\nexport type { T } from './b.ts';"],
      [
        'src/a/b.ts',
        "import { w } from './c.ts';\nexport const far = () => [1].map(w);\nexport const pure = 1;\nexport type T = 1;",
      ],
      [
        'src/a/c.ts',
        'export async function w({ store }: any) { await inner(store); }\nconst inner = (store: any) => store.delete([1]);',
      ],
    ]);
    expect(writingExports('src/a/index.ts', tree)).toEqual(['near']);
    expect(portWrites(tree)).toEqual(['src/a/c.ts:2']);
  });
});

describe('files', () => {
  it('have names that describe their content', () => {
    const all = readTree(['src', 'constructs', 'examples', 'test', 'scripts'], ['.ts', '.mjs', '.js']);
    expect(namelessFiles(all.keys())).toEqual([]);
  });

  it('are short: none is beyond the limit, nine in ten are under 300 lines, half are under 80', () => {
    const sizes = [...source].map(([path, text]) => ({ path, lines: linesOf(text) }));
    const long = sizes.filter(({ path, lines }) => lines > 300 && !path.includes('/gen/'));
    for (const { path, lines } of long) console.log(`long: ${path} has ${lines} lines`);
    expect(long.filter(({ lines }) => lines > FILE_LIMIT)).toEqual([]);
    expect(long.length / sizes.length).toBeLessThanOrEqual(0.1);
    expect(sizes.filter(({ lines }) => lines < 80).length / sizes.length).toBeGreaterThanOrEqual(0.5);
  });

  it('hold short functions', () => {
    const long = functionLengths(source).filter(({ lines }) => lines >= 40);
    for (const { at, lines } of long) console.log(`long: the function at ${at} has ${lines} lines`);
    expect(long.filter(({ lines }) => lines > FUNCTION_LIMIT)).toEqual([]);
  });

  it('export only what another file uses', () => {
    const all = readTree(['src', 'constructs', 'test', 'scripts'], ['.ts', '.mjs']);
    // What is generated mirrors something: all of it is there for others.
    const lonely = lonelyExports(all).filter((each) => !each.startsWith('constructs/gen/'));
    expect(lonely).toEqual([]);
  });

  it('that are the door of a room pass on only what somebody who enters there uses', () => {
    const all = readTree(['src', 'constructs', 'examples', 'test', 'scripts'], ['.ts', '.mjs']);
    expect(lonelyDoorExports(all)).toEqual([]);
  });

  it('hold nothing that is named as unused', () => {
    expect(unusedByName(readTree(['src', 'constructs', 'examples', 'scripts', 'test'], ['.ts', '.mjs']))).toEqual([]);
  });

  it('use the words of the house', () => {
    const prose = readTree(['src', 'constructs', 'examples', 'scripts', 'docs'], ['.ts', '.mjs', '.md', '.yaml']);
    expect(wrongWords(new Map([...prose, ['README.md', readRoot('README.md')]]))).toEqual([]);
  });
});

/** The notation of a budget in a program, and the budget that it is parsed to: both are public under this name. */
const HOMONYMS = ['Budget'];

/** The provider may advise to use the command line, in its table of remedies. A flag of V8 is none of the command line. */
const NAMES_COMMANDS = ['src/http/late-optimizing.ts', 'src/terraform/provider/remedies.ts'];

/** Types with the shape of trouble. Everything else that a user reads is a Diagnostic, extends one, or is a Fault. */
const TROUBLE = [
  'src/domain/diagnostic.ts: Diagnostic',
  // They become a diagnostic or a fault in their own file or room.
  'src/http/exchange-fault.ts: Loss',
  'src/wire/request-diagnostic.ts: BrokenLimit',
  // The same in JSON.
  'src/library/gen/output.ts: OutputAuditFinding',
  'src/library/gen/output.ts: OutputDiagnostic',
  'src/library/gen/output.ts: OutputFault',
  'src/wire/schema-diagnostics.ts: SettledIssue',
  // A fault of the gateway as the evidence of a check.
  'src/checks/enforcement/rejection-claims.ts: Rejection',
  // Errors of others: of Node, and of the gateway.
  'src/http/exchange-fault.ts: SystemError',
  'src/reference/catalog.ts: ModelFailure',
  'src/reference/ledger/tasks.ts: TaskError',
  'src/reference/profiles/profile.ts: DeniedInference',
  'src/wire/answers/error-body.ts: ErrorBody',
];

describe('names', () => {
  const rooms = readTree(['src', 'constructs/cdk'], ['.ts']);

  it('of types have one meaning in all rooms', () => {
    expect(homonyms(rooms).map((each) => each.split(':')[0])).toEqual(HOMONYMS);
  });

  it('of trouble are Diagnostic and Fault', () => {
    expect([...troubleTypes(rooms)].sort()).toEqual([...TROUBLE].sort());
  });

  it('of flags, commands and exit codes appear in the texts of cli alone', () => {
    const others = new Map([...rooms].filter(([path]) => !path.startsWith('src/cli/')));
    const commands = new Set(TREE.commands.map(({ path: [first = ''] }) => first));
    const places = commandLineWords(others, commands).map((place) => place.split(':')[0]);
    expect([...new Set(places)]).toEqual(NAMES_COMMANDS);
  });
});

describe('the world', () => {
  it('is asked for its environment by cli/settings, by the main files of both programs, and by the library for its folder alone', () => {
    const may = ['src/cli/main', 'src/cli/session/settings', 'src/terraform/main', 'src/library/environment'];
    const readers = environmentReaders(source).filter((place) => !may.some((each) => place.startsWith(each)));
    expect(readers).toEqual([]);
  });

  it('is not asked for the time or for chance by the rooms in the middle', () => {
    const middle = readTree(['src/domain', 'src/reconcile', 'src/engine', 'src/wire', 'src/manifest'], ['.ts']);
    expect(worldAskers(middle)).toEqual([]);
  });
});
