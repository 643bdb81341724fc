import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProfileName } from '../../../../../src/reference/index.ts';
import { CANARY, MODELS, openPlace, type Place } from '../../../place.ts';
import { isOpenTofu, openStack, type Ran, type Stack } from '../../stack.ts';
import type { Turn } from '../configuration.ts';
import { type Diagnostic, diagnosticsIn } from '../plan-output.ts';
import type { Stored } from '../values.ts';
import { addressOfRead, type ReadCell } from './cells.ts';
import { argumentsOf, configurationOfRead } from './configuration.ts';
import { deferredIn, openedIn, postconditionOf } from './messages.ts';
import { type Holdings, holdingsOf, requiredOf } from './oracle.ts';
import { editsOf, FIRST_USES, LATER_USES, type ReadFacts, SPENT, STEADY, seedOf } from './values.ts';

/** One plan and its apply: what was read, and what it should be. */
export interface ReadStep {
  readonly isDeferred: boolean;
  readonly result: Stored;
  readonly required: Stored;
}

/** The result of a cell: errors, or two steps. */
export type ReadRun = { readonly errors: readonly string[] } | { readonly steps: readonly [ReadStep, ReadStep] };

const NO_LIMITS = { limits: { api: null, search: null, reveal: null } };
/** Seconds between two uses: rates count the last minute. */
const PAUSE = 120;

interface Opened {
  readonly place: Place;
  readonly stack: Stack;
  readonly profile: ProfileName;
  readonly facts: ReadFacts;
}

/** Errors of the engine itself have no address, but the line of the block. */
function addressIn({ address, snippet }: Diagnostic): string | undefined {
  const [, kind, type, label] = /^(data|ephemeral|list|action) "(\w+)" "(\w+)"/.exec(snippet?.context ?? '') ?? [];
  return address ?? (kind && `${kind}.${type}.${label}`);
}

const errorsAt = (diagnostics: readonly Diagnostic[], address: string): readonly string[] =>
  diagnostics.filter((each) => each.severity === 'error' && addressIn(each) === address).map(({ summary }) => summary);

/** Ends with everything that the engine reported. */
function requireCode(ran: Ran): void {
  if (ran.code === 0) return;
  const errors = diagnosticsIn(ran).filter(({ severity }) => severity === 'error');
  throw new Error(`${errors.map((each) => `${addressIn(each)}: ${each.summary}`).join('\n')}\n${ran.stderr}`);
}

async function spend(place: Place, keyIds: readonly number[], seconds: number): Promise<void> {
  for (const keyId of keyIds) {
    await place.control('POST', '/spend', { keyId, quota: SPENT, address: '10.0.0.1' });
    await place.control('POST', '/clock', { advance: seconds });
  }
}

/** Opens an account that was used, with a key for each check. */
export async function openRead(cells: readonly ReadCell[], profile: ProfileName): Promise<Opened> {
  const checks = cells.filter(({ reader }) => reader.type === 'keyplane_check');
  const seed = seedOf(profile);
  const own = checks.map(({ label }) => ({ name: label, unlimited_quota: true }));
  const place = await openPlace([...seed, ...own], profile, MODELS, NO_LIMITS);
  await spend(place, FIRST_USES, PAUSE);
  const { now } = await place.control<{ now: number }>('GET', '/clock');
  const facts = {
    between: new Date(Math.floor(now - 1.5 * PAUSE) * 1000).toISOString().replace('.000', ''),
    ownKeys: new Map(checks.map(({ label }, index) => [label, seed.length + index + 1])),
  };
  return { place, stack: await openStack(place, ''), profile, facts };
}

/** The key that models are listed with, as the seed of a place makes it. */
const modelsKey = (profile: ProfileName): string => `sk-${`${CANARY}${profile}${STEADY - 1}`.padEnd(48, 'x')}`;

/** The attributes of data sources in the state, by address. */
async function resultsOf(place: Place): Promise<ReadonlyMap<string, Stored>> {
  const { resources } = JSON.parse(await readFile(join(place.folder, 'terraform.tfstate'), 'utf8')) as {
    resources: readonly { mode: string; type: string; name: string; instances: readonly { attributes: Stored }[] }[];
  };
  return new Map(
    resources
      .filter(({ mode }) => mode === 'data')
      .map(({ type, name, instances }) => [`data.${type}.${name}`, instances[0]?.attributes ?? {}]),
  );
}

const MESSAGES = 'messages.json';

/** Runs a command with its messages for programs. OpenTofu has those for people as well, which report more. */
async function runReporting({ place, stack, profile }: Opened, ...words: readonly string[]): Promise<Ran> {
  const env = { KEYPLANE_MODELS_KEY: modelsKey(profile) };
  const [command = '', ...rest] = words;
  if (!isOpenTofu()) return await stack.runWith(env, command, '-json', '-parallelism=40', ...rest);
  const ran = await stack.runWith(env, command, `-json-into=${MESSAGES}`, '-parallelism=40', ...rest);
  return { ...ran, stdout: `${ran.stdout}\n${await place.read(MESSAGES)}` };
}

/** Plans and applies all cells in one configuration. */
async function takeTurn(
  opened: Opened,
  cells: readonly ReadCell[],
  { turn, before }: { readonly turn: Turn; readonly before: Holdings },
): Promise<{ readonly steps: ReadonlyMap<ReadCell, ReadStep>; readonly after: Holdings }> {
  const { place, stack, profile, facts } = opened;
  const required = (cell: ReadCell, holdings: Holdings) =>
    requiredOf(cell, argumentsOf(cell, turn, facts), holdings) as Stored;
  const conditionOf = (cell: ReadCell) =>
    cell.reader.kind === 'ephemeral' ? postconditionOf(cell, required(cell, before) as never) : undefined;
  await stack.configure(cells.map((cell) => configurationOfRead(cell, turn, facts, conditionOf(cell))).join(''));
  const planned = await runReporting(opened, 'plan', '-out=plan.bin');
  requireCode(planned);
  const deferred = deferredIn(planned);
  const applied = await runReporting(opened, 'apply', 'plan.bin');
  requireCode(applied);
  const [results, after] = [await resultsOf(place), await holdingsOf(place, profile, before)];
  const [openedFirst, openedLater] = [openedIn(planned), openedIn(applied)];
  const stepOf = (cell: ReadCell): ReadStep => {
    const address = addressOfRead(cell);
    if (cell.reader.kind !== 'ephemeral')
      return {
        isDeferred: deferred.has(address),
        result: results.get(address) ?? {},
        required: required(cell, after),
      };
    // The engine itself has compared the result.
    const result = openedLater.has(address) ? required(cell, before) : {};
    return { isDeferred: !openedFirst.has(address), result, required: required(cell, before) };
  };
  return { steps: new Map(cells.map((cell) => [cell, stepOf(cell)])), after };
}

/** Changes what the readers read: keys, names, and what was spent. */
async function editAll({ place, profile, facts }: Opened, cells: readonly ReadCell[]): Promise<void> {
  await spend(place, LATER_USES, PAUSE);
  for (const [id, fields] of editsOf(profile)) await place.control('PATCH', `/keys/${id}`, fields);
  for (const { label, transition } of cells) {
    const id = transition === 'drift' ? facts.ownKeys.get(label) : undefined;
    if (id !== undefined) await place.control('PATCH', `/keys/${id}`, { status: 2 });
  }
}

/** Reads all cells twice, with changes at the gateway between. */
export async function runReads(
  cells: readonly ReadCell[],
  profile: ProfileName,
): Promise<ReadonlyMap<ReadCell, ReadRun>> {
  const opened = await openRead(cells, profile);
  try {
    const start = await holdingsOf(opened.place, profile);
    const first = await takeTurn(opened, cells, { turn: 'first', before: start });
    await editAll(opened, cells);
    const between = await holdingsOf(opened.place, profile);
    const second = await takeTurn(opened, cells, { turn: 'second', before: between });
    return new Map(
      cells.map((cell) => [cell, { steps: [first.steps.get(cell) as ReadStep, second.steps.get(cell) as ReadStep] }]),
    );
  } finally {
    await opened.place.close();
  }
}

/** Gives the cells to `validate`, which must reject each. */
export async function validateReads(cells: readonly ReadCell[]): Promise<ReadonlyMap<ReadCell, ReadRun>> {
  const { place, stack, facts } = await openRead(cells, 'contract');
  try {
    const turnOf = ({ transition }: ReadCell): Turn => (transition === 'remove' ? 'second' : 'first');
    await stack.configure(cells.map((cell) => configurationOfRead(cell, turnOf(cell), facts)).join(''));
    const diagnostics = diagnosticsIn(await stack.run('validate', '-json'));
    return new Map(cells.map((cell) => [cell, { errors: errorsAt(diagnostics, addressOfRead(cell)) }]));
  } finally {
    await place.close();
  }
}
