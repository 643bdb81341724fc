import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProfileName } from '../../../../src/reference/index.ts';
import { MODELS, openPlace, type Place } from '../../place.ts';
import { openStack, type Stack } from '../stack.ts';
import type { Cell } from './cells.ts';
import { addressOf, configurationOf, editOf, type Imports, isRead, otherOf, type Turn } from './configuration.ts';
import { type Diagnostic, diagnosticsIn, type KeyChange, plannedIn, summariesAt } from './plan-output.ts';
import { readValue, type Stored, setValues } from './values.ts';

/** The effects of one plan and its apply in a cell. */
export interface StepFacts {
  readonly plan: string;
  /** The values that the attribute has afterwards: at the gateway, or in the state if it is read-only. */
  readonly values: readonly string[];
  readonly warnings: readonly string[];
  /** Other fields of the stored key that are not as they must be. */
  readonly astray: readonly string[];
}

/** The result of a cell: errors, or two steps. */
export type Facts =
  | { readonly errors: readonly string[] }
  | { readonly steps: readonly [StepFacts, StepFacts]; readonly isSettled: boolean };

type States = ReadonlyMap<string, Stored>;
type Keys = ReadonlyMap<number, Stored>;

/** One plan and its apply, with what is stored before and after. */
interface Turned {
  readonly turn: Turn;
  readonly profile: ProfileName;
  readonly changes: ReadonlyMap<string, KeyChange>;
  readonly diagnostics: readonly Diagnostic[];
  readonly before: Keys;
  readonly after: Keys;
  readonly states: States;
}

/** No limits: one run writes more than a hundred keys. */
const NO_LIMITS = { limits: { api: null, search: null, reveal: null } };

interface Opened {
  readonly place: Place;
  readonly stack: Stack;
  readonly profile: ProfileName;
}

const HEAD = 'provider "keyplane" {\n  allow_unknown_models = true\n}\n';
/** A key with the attributes that all others have too. */
const PLAIN = 'resource "keyplane_api_key" "plain" {\n  name = "plain"\n  budget = { usd = 1, per = "lifetime" }\n}\n';

const keysOf = async (place: Place): Promise<Keys> => new Map((await place.keys()).map((key) => [key.id, key]));

/** The attributes in the state, by address. */
async function statesOf(place: Place): Promise<States> {
  const { resources } = JSON.parse(await readFile(join(place.folder, 'terraform.tfstate'), 'utf8')) as {
    resources: readonly { type: string; name: string; instances: readonly { attributes: Stored }[] }[];
  };
  return new Map(resources.map(({ type, name, instances }) => [`${type}.${name}`, instances[0]?.attributes ?? {}]));
}

const expectCode = ({ code, stdout, stderr }: { code: number | null; stdout: string; stderr: string }): void => {
  if (code !== 0)
    throw new Error(
      `${stdout
        .split('\n')
        .filter((line) => line.includes('"error"'))
        .join('\n')}\n${stderr}`,
    );
};

async function planAndShow(stack: Stack, words: readonly string[]) {
  const ran = await stack.run('plan', '-json', '-parallelism=40', '-out=plan.bin', ...words);
  expectCode(ran);
  const shown = await stack.run('show', '-json', 'plan.bin');
  return { changes: plannedIn(shown), diagnostics: diagnosticsIn(ran) };
}

/** Plans and applies all cells in one configuration. */
async function takeTurn({ place, stack, profile }: Opened, turn: Turn, words: readonly string[] = []): Promise<Turned> {
  const before = await keysOf(place);
  const planned = await planAndShow(stack, words);
  expectCode(await stack.run('apply', '-json', '-parallelism=40', 'plan.bin'));
  return { turn, profile, ...planned, before, after: await keysOf(place), states: await statesOf(place) };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const holds = (fields: Stored, record: Stored): boolean =>
  Object.entries(fields).every(([field, value]) => isSame(record[field], value));

/** The fields in which each key differs from all others. */
const OWN = ['id', 'key', 'created_time', 'accessed_time'];

/** The stored fields that differ from those of the reference, except the fields of the attribute. */
function astrayFields(cell: Cell, turned: Turned, reference: Stored, record: Stored): readonly string[] {
  const { attribute, transition, label } = cell;
  const other = transition === 'ignore and other' ? setValues(otherOf(attribute), label).stored[turned.turn] : {};
  const name = turned.turn === 'first' ? { name: label } : {};
  const required: Stored = { ...reference, ...name, ...other };
  const own = isRead(cell) ? [] : Object.keys(setValues(attribute, label).stored.first);
  const exempt = new Set([...OWN, ...own, ...(['name_prefix', 'rotation'].includes(attribute) ? ['name'] : [])]);
  return Object.keys(required).filter((field) => !exempt.has(field) && !isSame(required[field], record[field]));
}

/** The words for the values that the attribute has after a step. */
function valueWords(cell: Cell, turned: Turned, prior: States): readonly string[] {
  const { after, states, turn } = turned;
  const state = states.get(addressOf(cell, turn)) ?? {};
  const record = after.get(Number(state.id)) ?? {};
  if (isRead(cell)) return readWords(cell, { state, record }, turned, prior);
  const { stored } = setValues(cell.attribute, cell.label);
  const kept = cell.setter === 'optional' ? state : record;
  return Object.entries(stored).flatMap(([word, fields]) => (holds(fields, kept) ? [word] : []));
}

function readWords(
  { attribute, label }: Cell,
  { state, record }: { readonly state: Stored; readonly record: Stored },
  { profile }: Turned,
  prior: States,
): readonly string[] {
  const before = prior.get(`keyplane_api_key.${label}`)?.[attribute];
  const value = state[attribute] ?? null;
  const { read, unreportedBy } = readValue(attribute);
  return [
    ...(isSame(value, unreportedBy === profile ? null : read(record, profile)) ? ['as stored'] : []),
    ...(before !== undefined && isSame(value, before) ? ['as before'] : []),
  ];
}

/** The key of a cell: its ID after a step. */
const idAfter = (cell: Cell, { states, turn }: Turned): number => Number(states.get(addressOf(cell, turn))?.id);

function stepOf(cell: Cell, turned: Turned, prior: States, reference: Stored): StepFacts {
  const address = addressOf(cell, turned.turn);
  const record = turned.after.get(idAfter(cell, turned)) ?? {};
  return {
    plan: turned.changes.get(address)?.describe(cell.attribute) ?? 'nothing',
    values: valueWords(cell, turned, prior),
    warnings: summariesAt(turned.diagnostics, 'warning', address),
    astray: astrayFields(cell, turned, reference, record),
  };
}

/** A new value of this attribute replaces the key. */
const isReplaced = ({ attribute, transition }: Cell): boolean =>
  transition === 'replace' ||
  (attribute === 'rotate_when_changed' && (transition === 'set' || transition === 'unknown'));

/** The problems of a key as a whole: a replaced one is gone, and every other one is the same. */
function identityProblems(cell: Cell, first: Turned, second: Turned): readonly string[] {
  const [one, two] = [idAfter(cell, first), idAfter(cell, second)];
  if (!isReplaced(cell)) return one === two ? [] : [`the key ${one} became the key ${two}`];
  return one !== two && !second.after.has(one) ? [] : [`the key ${one} is still there`];
}

/** Edits the keys of the cells that somebody edits, by label. */
async function editKeys(place: Place, cells: readonly Cell[], { states }: Turned): Promise<void> {
  for (const cell of cells) {
    const edit = editOf(cell);
    const keyId = states.get(addressOf(cell, 'first'))?.id;
    if (edit && 'fields' in edit) await place.control('PATCH', `/keys/${keyId}`, edit.fields);
    if (edit && 'spent' in edit) await place.control('POST', '/spend', { keyId, quota: edit.spent });
  }
}

const seedOf = (cells: readonly Cell[]) =>
  cells
    .filter(({ transition }) => transition === 'import')
    .map((cell, index) => ({
      id: index + 1,
      name: cell.label,
      remain_quota: 500_000,
      ...(isRead(cell) ? {} : setValues(cell.attribute, cell.label).stored.first),
    }));

/** Runs the cells whose configurations are valid: all together, in two plans that are applied, and a third that must be empty. */
export async function runCells(cells: readonly Cell[], profile: ProfileName): Promise<ReadonlyMap<Cell, Facts>> {
  const seed = seedOf(cells);
  const imports: Imports = {
    ids: new Map(seed.map(({ id, name }) => [name, id])),
    isUseReported: profile !== 'contract',
  };
  const place = await openPlace(seed, profile, MODELS, NO_LIMITS);
  const textOf = (turn: Turn): string =>
    HEAD + PLAIN + cells.map((cell) => configurationOf(cell, turn, imports)).join('');
  try {
    const stack = await openStack(place, textOf('first'));
    const opened = { place, stack, profile };
    const first = await takeTurn(opened, 'first');
    await editKeys(place, cells, first);
    await stack.configure(textOf('second'));
    const replaced = cells.filter(({ transition }) => transition === 'replace');
    const second = await takeTurn(
      opened,
      'second',
      replaced.map((cell) => `-replace=${addressOf(cell, 'second')}`),
    );
    const { changes } = await planAndShow(stack, []);
    return factsOf(cells, [first, second], changes);
  } finally {
    await place.close();
  }
}

function factsOf(
  cells: readonly Cell[],
  [first, second]: readonly [Turned, Turned],
  rest: Turned['changes'],
): ReadonlyMap<Cell, Facts> {
  const plain = first.after.get(Number(first.states.get('keyplane_api_key.plain')?.id)) ?? {};
  return new Map(
    cells.map((cell): [Cell, Facts] => {
      const before = second.before.get(idAfter(cell, first)) ?? {};
      const one = stepOf(cell, first, new Map(), plain);
      const two = stepOf(cell, second, first.states, before);
      const astray = [...two.astray, ...identityProblems(cell, first, second)];
      return [cell, { steps: [one, { ...two, astray }], isSettled: !rest.has(addressOf(cell, 'second')) }];
    }),
  );
}

/** Gives the cells to one command, which must reject each. */
export async function runRejected(
  cells: readonly Cell[],
  verb: 'validate' | 'plan',
): Promise<ReadonlyMap<Cell, Facts>> {
  const place = await openPlace([]);
  try {
    const turnOf = ({ transition }: Cell): Turn => (transition === 'remove' ? 'second' : 'first');
    const stack = await openStack(
      place,
      HEAD +
        cells.map((cell) => configurationOf(cell, turnOf(cell), { ids: new Map(), isUseReported: false })).join(''),
    );
    const diagnostics = diagnosticsIn(await stack.run(verb, '-json'));
    return new Map(
      cells.map((cell) => [cell, { errors: summariesAt(diagnostics, 'error', addressOf(cell, 'first')) }]),
    );
  } finally {
    await place.close();
  }
}
