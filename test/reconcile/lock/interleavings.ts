import { type Claimant, type Decision, isOther, type VisibleClaim } from '../../../src/reconcile/lock/rule.ts';

export type Rule = (own: Claimant, visible: readonly VisibleClaim[]) => Decision;

export interface Store {
  /** `with the ID`: rows appear in the order of their IDs. `later`: an ID exists before its row is visible. */
  readonly rows: 'with the ID' | 'later';
  /** Clients may look before their placement was answered, and place again. */
  readonly losesAnswers?: true;
}

/** A claim; its ID is its position in the list. */
interface Row {
  readonly of: number;
  readonly visible: boolean;
}

type Phase = 'begins' | 'placed' | 'withdraws' | 'watches' | 'inside' | 'done';

interface World {
  readonly rows: readonly Row[];
  readonly phases: readonly Phase[];
}

interface Move {
  readonly text: string;
  readonly world: World;
}

const NAMES = ['A', 'B', 'C', 'D'];
/** A client whose answers are lost places at most this many claims at a time. */
const MOST_ROWS = 2;

const nameOf = (client: number): string => NAMES[client] ?? '';

function enter(world: World, client: number, phase: Phase, rows = world.rows): World {
  return { rows, phases: world.phases.map((each, at) => (at === client ? phase : each)) };
}

const withoutRowsOf = ({ rows }: World, client: number): readonly Row[] =>
  rows.filter(({ of, visible }) => of !== client || !visible);

const AFTER: Readonly<Record<Decision, Phase>> = {
  enter: 'inside',
  withdraw: 'withdraws',
  wait: 'placed',
  lost: 'begins',
};

interface Model {
  readonly rule: Rule;
  readonly store: Store;
  readonly attempts: readonly Claimant[];
}

/** The next moves of a client. */
function movesOf(world: World, client: number, { rule, store, attempts }: Model): readonly Move[] {
  const { rows, phases } = world;
  const own = rows.filter(({ of }) => of === client);
  const name = nameOf(client);
  const visible = rows.flatMap((row, id) =>
    row.visible ? [{ nonce: undefined, ...attempts[row.of], id, of: row.of }] : [],
  );
  switch (phases[client]) {
    case 'begins': {
      if (own.length >= (store.losesAnswers ? MOST_ROWS : 1)) return [];
      const row = { of: client, visible: store.rows === 'with the ID' };
      return [{ text: `${name} sends a claim`, world: enter(world, client, 'placed', [...rows, row]) }];
    }
    case 'placed': {
      if (!store.losesAnswers && own.some((row) => !row.visible)) return [];
      const decision = rule(attempts[client] ?? { nonce: undefined }, visible);
      const seen = visible.map(({ of }) => nameOf(of)).join(', ') || 'no claim';
      return [{ text: `${name} sees ${seen}: ${decision}`, world: enter(world, client, AFTER[decision]) }];
    }
    case 'withdraws':
      return [{ text: `${name} withdraws`, world: enter(world, client, 'watches', withoutRowsOf(world, client)) }];
    case 'watches': {
      const cleaned = withoutRowsOf(world, client);
      const isClear = !visible.some((claim) => isOther(attempts[client] ?? { nonce: undefined }, claim));
      return [{ text: `${name} watches`, world: enter(world, client, isClear ? 'begins' : 'watches', cleaned) }];
    }
    case 'inside':
      return [{ text: `${name} leaves`, world: enter(world, client, 'done', withoutRowsOf(world, client)) }];
    default:
      // A claim that came after its run had ended is abandoned.
      return own.some((row) => row.visible)
        ? [{ text: `the claim of ${name} is abandoned`, world: { ...world, rows: withoutRowsOf(world, client) } }]
        : [];
  }
}

const commits = (world: World): readonly Move[] =>
  world.rows.flatMap((row, at) =>
    row.visible
      ? []
      : [
          {
            text: `the claim of ${nameOf(row.of)} becomes visible`,
            world: { ...world, rows: world.rows.map((each, i) => (i === at ? { ...each, visible: true } : each)) },
          },
        ],
  );

/** Are two clients inside that are not of one team? */
function collides({ phases }: World, attempts: readonly Claimant[]): boolean {
  const inside = phases.flatMap((phase, client) => (phase === 'inside' ? [attempts[client]?.team ?? client] : []));
  return new Set(inside).size > 1;
}

export interface Explored {
  readonly states: number;
  /** The shortest way to two clients that are inside; undefined: there is none. */
  readonly collision: readonly string[] | undefined;
  /** States in which somebody waits for ever. */
  readonly stuck: number;
}

/** Explores every interleaving of clients that follow a rule. */
export function explore(clients: number, rule: Rule, store: Store, given?: readonly Claimant[]): Explored {
  const attempts = given ?? NAMES.slice(0, clients).map((nonce) => ({ nonce }));
  const model = { rule, store, attempts };
  const first: World = { rows: [], phases: Array.from({ length: clients }, () => 'begins' as const) };
  const seen = new Map<string, { readonly from: string | undefined; readonly text: string }>();
  let edge: readonly World[] = [first];
  let stuck = 0;
  seen.set(JSON.stringify(first), { from: undefined, text: '' });
  while (edge.length > 0) {
    const next: World[] = [];
    for (const world of edge) {
      const from = JSON.stringify(world);
      if (collides(world, attempts)) {
        return { states: seen.size, collision: wayTo(from, seen), stuck };
      }
      const moves = [...commits(world), ...world.phases.flatMap((_, client) => movesOf(world, client, model))].filter(
        (move) => JSON.stringify(move.world) !== from,
      );
      if (moves.length === 0 && world.phases.some((phase) => phase !== 'done')) stuck += 1;
      for (const move of moves) {
        const key = JSON.stringify(move.world);
        if (seen.has(key)) continue;
        seen.set(key, { from, text: move.text });
        next.push(move.world);
      }
    }
    edge = next;
  }
  return { states: seen.size, collision: undefined, stuck };
}

function wayTo(
  state: string,
  seen: ReadonlyMap<string, { readonly from: string | undefined; readonly text: string }>,
): readonly string[] {
  const steps: string[] = [];
  for (let at: string | undefined = state; at !== undefined; ) {
    const step: { readonly from: string | undefined; readonly text: string } | undefined = seen.get(at);
    if (step?.from !== undefined) steps.unshift(step.text);
    at = step?.from;
  }
  return steps;
}
