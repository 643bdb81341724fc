import { MODELS, openPlace } from '../../../place.ts';
import { openStack, type Stack } from '../../stack.ts';
import type { Turn } from '../configuration.ts';
import { addressOfRead, type ReadCell } from './cells.ts';
import { argumentsOf, configurationOfRead } from './configuration.ts';
import { messagesIn } from './messages.ts';
import { type Holdings, holdingsOf, matching } from './oracle.ts';
import type { ReadRun, ReadStep } from './run.ts';
import { editsOf, type ReadFacts, seedOf } from './values.ts';

/** Nothing in a list depends on them. */
const FACTS: ReadFacts = { between: '', ownKeys: new Map() };

/** Queries all cells in one command. Each list finds the names and the IDs of keys. */
async function queryAll(
  stack: Stack,
  cells: readonly ReadCell[],
  { turn, holdings }: { readonly turn: Turn; readonly holdings: Holdings },
): Promise<ReadonlyMap<ReadCell, ReadStep>> {
  await stack.write('all.tfquery.hcl', cells.map((cell) => configurationOfRead(cell, turn, FACTS)).join(''));
  const ran = await stack.run('query', '-json');
  if (ran.code !== 0) throw new Error(ran.stdout + ran.stderr);
  const found = messagesIn(ran).flatMap(({ list_resource_found: each }) => (each ? [each] : []));
  const stepOf = (cell: ReadCell): ReadStep => {
    const own = found.filter(({ address }) => address === addressOfRead(cell));
    const keys = matching(argumentsOf(cell, turn, FACTS), holdings);
    return {
      isDeferred: false,
      result: { names: own.map(({ display_name: name }) => name), ids: own.map(({ identity }) => identity.id) },
      required: { names: keys.map(({ name }) => name), ids: keys.map(({ id }) => id) },
    };
  };
  return new Map(cells.map((cell) => [cell, stepOf(cell)]));
}

/** Queries all cells twice, with changes at the gateway between. */
export async function runLists(cells: readonly ReadCell[]): Promise<ReadonlyMap<ReadCell, ReadRun>> {
  const place = await openPlace(seedOf('deployed'), 'deployed', MODELS);
  try {
    const stack = await openStack(place, 'provider "keyplane" {}\n');
    const before = await holdingsOf(place, 'deployed');
    const first = await queryAll(stack, cells, { turn: 'first', holdings: before });
    for (const [id, fields] of editsOf('deployed')) await place.control('PATCH', `/keys/${id}`, fields);
    const after = await holdingsOf(place, 'deployed');
    const second = await queryAll(stack, cells, { turn: 'second', holdings: after });
    return new Map(cells.map((cell) => [cell, { steps: [first.get(cell) as ReadStep, second.get(cell) as ReadStep] }]));
  } finally {
    await place.close();
  }
}
