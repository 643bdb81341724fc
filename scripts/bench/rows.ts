/** A row of the table of performance: some work of Keyplane, and the least that it could cost. */
export interface Row {
  readonly id: string;
  readonly work: string;
  readonly floor: string;
  /** The ratio to the floor that should not be exceeded; for `faster`, the ratio that should be reached. */
  readonly goal?: number;
  /** The goal is one of time on the clock, where both are measured. */
  readonly goalOnClock?: true;
  /** The most memory, in MiB. */
  readonly memory?: number;
  /** The ratio is that of the floor to Keyplane. */
  readonly faster?: true;
  /** The part of the cost above the floor that is largest. */
  readonly limit: string;
}

const EMPTY_PROVIDER = 'an empty provider on the same transport, engine included in both';
const LOOP = 'bare loop over undici that sends the same requests';

export const ROWS: readonly Row[] = [
  {
    ...{ id: 'start-version', work: 'start: `keyplane --version`', floor: '`node -e 0`', goal: 1.5 },
    limit: 'the loader of ECMAScript modules of Node.js',
  },
  {
    ...{ id: 'start-validate', work: 'start: `keyplane validate`, one key', floor: '`node -e 0`', goal: 3 },
    limit:
      'Node.js itself, a third; the code is compiled by an earlier run, and what is left is spread over reading files, modules and the manifest',
  },
  {
    ...{ id: 'start-plan', work: 'start: `keyplane plan`, one key', floor: '`node -e 0`', goal: 5 },
    limit:
      'Node.js itself, a fifth; the code is compiled by an earlier run, and what is left is spread over modules, the manifest, HTTP and files',
  },
  {
    ...{ id: 'validate', work: '`validate` of 10,000 keys', floor: '`yaml` parses the same text', goal: 1.6 },
    limit: 'not profiled',
  },
  {
    ...{ id: 'create', work: '`apply` creates 10,000 keys', floor: LOOP, goal: 1.15, goalOnClock: true },
    limit:
      'on the clock, the time without a request, which alone is more than the goal allows. Of the CPU, two fifths happen once: reading the manifest, planning before and after the writes, and the plan as text; a quarter are sockets, a twelfth garbage collection, a twentieth the digests of the journal',
  },
  {
    ...{ id: 'update', work: '`apply` updates 10,000 keys', floor: LOOP, goal: 1.15, goalOnClock: true },
    limit:
      'on the clock, the time without a request, which alone is more than the goal allows. Of the CPU, a quarter are sockets; a third is decoding, comparing and encoding each key, and verifying the lock; a quarter happens once, as with creates; a tenth garbage collection',
  },
  {
    ...{ id: 'unchanged', work: '`plan` of 100,000 keys, nothing to do', goal: 1.3, goalOnClock: true, memory: 350 },
    floor: 'fetching the same pages one after another, and `JSON.parse`',
    limit:
      'on the clock, half is the gateway, which works on one page at a time; a fifth: reading the manifest, before anything is sent, which alone is more than the goal allows, and of which `yaml` takes two thirds; an eighth: matching, comparing and judging each key once all are read; a twelfth: HTTP and JSON between a page and the request for the next one. Of the CPU, a sixth is collecting garbage, a little more often than V8 would so that it takes 200 MB less',
  },
  {
    ...{
      id: 'counted',
      work: 'the same, at a gateway that reports how many keys there are, as those in production do',
    },
    ...{ floor: 'fetching the same pages four at a time, and `JSON.parse`', goal: 1.3, goalOnClock: true, memory: 350 },
    limit:
      'as before, but nothing is done between pages while the gateway waits: several are under way at any time. Start and manifest alone take more than the goal allows',
  },
  {
    ...{ id: 'checks', work: '`check` of 200 keys × 5 checks, models that answer at once', floor: LOOP },
    ...{ goal: 1.3, goalOnClock: true },
    limit:
      'on the clock, the time without a request, which alone is more than the goal allows. Of the CPU, sockets and HTTP take a fifth, schemas a tenth, the report a fifteenth, collecting garbage a twentieth',
  },
  {
    ...{ id: 'checks-slow', work: 'the same, models of 250 ms, time on the clock', floor: LOOP, goal: 1.08 },
    limit:
      'the models; above the floor: start and report, and a round of 250 ms in which most lanes are empty, because free checks end before paid ones begin',
  },
  {
    ...{ id: 'chat-durable', work: 'reference gateway: chat, with a ledger in a file, time on the clock', goal: 2.5 },
    floor: '`node:http` server with the same answer',
    limit:
      'a fifth is the transactions, which chats that are served at the same time share, and half of that their sync to the disk; else spread as in memory',
  },
  {
    ...{
      id: 'chat',
      work: 'reference gateway: chat, in memory, time on the clock',
      floor: '`node:http` server with the same answer',
    },
    limit: 'spread: writing answers a ninth, SQL a fourteenth, schemas and collecting garbage a twentieth each',
  },
  {
    ...{ id: 'script-create', work: 'create 200 keys, time on the clock', faster: true, goal: 20 },
    floor: 'bash, curl and jq, as people write it',
    limit: 'a quarter waits for the gateway; of the CPU, a fifth reads the manifest, a tenth collects garbage',
  },
  {
    ...{ id: 'script-rerun', work: 'run it again, nothing to do, time on the clock', faster: true, goal: 15 },
    floor: 'bash, curl and jq, as people write it',
    limit: 'the start',
  },
  {
    ...{ id: 'terraform-refresh-200', work: 'Terraform: refresh of 200 keys', floor: EMPTY_PROVIDER },
    limit: 'the start of the client of the gateway, about 75 ms, and of what validates, 30 ms; else as with 999',
  },
  {
    ...{ id: 'terraform-plan-200', work: 'Terraform: plan of 200 creates', floor: EMPTY_PROVIDER },
    limit: 'the start of the client of the gateway, about 75 ms, and of what validates, 30 ms; else as with 999',
  },
  {
    ...{
      id: 'terraform-refresh',
      work: 'Terraform: refresh of 999 keys',
      floor: EMPTY_PROVIDER,
      goal: 1.2,
      goalOnClock: true,
    },
    limit:
      'spread over four calls for each key: of what is above the floor, values of core take a fifth, comparing a key by the rules of every plan another, describing the live key a seventh; a sixth is core, which takes longer while it waits, about 0.1 s of that for the first list, of ten pages',
  },
  {
    ...{
      id: 'terraform-plan',
      work: 'Terraform: plan of 999 creates',
      floor: EMPTY_PROVIDER,
      goal: 1.2,
      goalOnClock: true,
    },
    limit:
      'spread over two calls for each key: values of core, validating and planning it; the start of the client of the gateway is an eighth of what is above the floor',
  },
  {
    ...{
      id: 'synthesis-cdktf',
      work: 'CDK for Terraform: synthesis of 1,000 keys',
      floor: 'the generated classes',
      goal: 1.3,
      goalOnClock: true,
    },
    limit:
      'validating the keys, half of what is above the floor in the main thread, and a third of that is rendering each of them once more; a second construct for each key, which makes the stack traces that the CDK takes deeper, and compiling all of it',
  },
  {
    ...{
      id: 'synthesis-cdktn',
      work: 'CDK Terrain: synthesis of 1,000 keys',
      floor: 'the generated classes',
      goal: 1.3,
      goalOnClock: true,
    },
    limit:
      'validating the keys, half of what is above the floor in the main thread, and a third of that is rendering each of them once more; a second construct for each key, which makes the stack traces that the CDK takes deeper, and compiling all of it',
  },
  {
    ...{ id: 'synthesis-validate', work: '`validate` of the synthesized stack, time on the clock' },
    floor: 'an equivalent manifest',
    limit: 'not profiled',
  },
];

/** The times of some work and of its floor, in milliseconds. */
export interface Times {
  readonly ours: number;
  readonly floor: number;
}

/** The time in milliseconds in which no request was under way: until the first one, and from start to end. */
export interface IdleTimes {
  readonly beforeMs: number;
  readonly idleMs: number;
}

/** The measurements of a row: CPU time, unless the row is about time on the clock. */
export interface Measured extends Times {
  readonly peakMiB?: number;
  /** The time on the clock of the same runs. */
  readonly clock?: Times;
  /** The times without a request of both: what Keyplane takes above the floor is above it on the clock as well. */
  readonly idle?: { readonly ours: IdleTimes; readonly floor: IdleTimes };
}

/** The growth of a cost with the number of keys: `n ** exponent`. */
export interface Growth {
  readonly keys: readonly number[];
  readonly cpuMs: readonly number[];
  readonly peakMiB: readonly number[];
}

/** Everything that one run of the bench measured. */
export interface Results {
  readonly machine: string;
  readonly node: string;
  readonly date: string;
  /** The load of the machine when the run began and ended. */
  readonly load: readonly [number, number];
  readonly rows: Readonly<Record<string, Measured>>;
  readonly growth?: Growth;
}

export const ratioOf = ({ faster }: Row, { ours, floor }: Times): number => (faster ? floor / ours : ours / floor);

/** The exponent between the first and the last count of keys. */
export function exponentOf(keys: readonly number[], costs: readonly number[]): number {
  const growth = (numbers: readonly number[]): number => Math.log((numbers.at(-1) ?? 1) / (numbers[0] ?? 1));
  return growth(costs) / growth(keys);
}
