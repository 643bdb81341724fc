import { readdir, stat, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { LOCK_NAME } from '../../src/domain/index.ts';
import type { ProfileName } from '../../src/reference/index.ts';
import { CANARY, type Ended, openPlace, type Place } from '../acceptance/place.ts';
import { ROOT } from '../architecture/repository.ts';
import { FILM, REVEALED, STORED, type Victim } from './victims.ts';

const HOOK = pathToFileURL(join(ROOT, 'test/kills/kill-at.mjs')).href;
const STEPS = 'steps.json';
/** Charged by seconds where the profile does so: a film costs less than a key of the victims holds. */
const MODELS = { [FILM]: { price: 0.1, task: { queueSeconds: 0, runSeconds: 0 } } };
const LEDGER = 'keyplane.tasks.jsonl';
/** The time of the next run passes at once, and that of the gateway does not. */
const NO_LIMITS = { api: null, search: null, reveal: null };
const SUBMIT = 'POST /v1/video/generations';

const openVictim = async ({ prepare }: Victim, profile: ProfileName): Promise<Place> => {
  const place = await openPlace(STORED, profile, { ...MODELS, 'alpha-chat-1': {} }, { limits: NO_LIMITS });
  await prepare(place);
  return place;
};

const start = (place: Place, { words, lock }: Victim, more: Readonly<Record<string, string>>): Promise<Ended> =>
  place.start(words, { env: { NODE_OPTIONS: `--import=${HOOK}`, KEYPLANE_LOCK: lock, ...more } }).ended;

/** The claim of a killed run can pay for nothing. It stays until another run wants the lock, and not every run does. */
const stateOf = async (place: Place): Promise<readonly string[]> =>
  (await place.keys())
    .filter(({ name }) => name !== LOCK_NAME)
    .map(
      ({ id, name, status, remain_quota, group }) =>
        `${id <= STORED.length ? id : 'new'} ${name.replace(/~\d{8}-\d{4}/, '~DATE')} ${status} ${remain_quota} ${group || 'default'}`,
    );

/** Every step that the command makes when nobody kills it. */
export async function stepsOf(victim: Victim, profile: ProfileName): Promise<readonly string[]> {
  const place = await openVictim(victim, profile);
  try {
    const { code, stderr } = await start(place, victim, { KILL_STEPS: join(place.folder, STEPS) });
    if (code !== 0) throw new Error(`${victim.title} exits with ${code}: ${stderr}`);
    return JSON.parse(await place.read(STEPS));
  } finally {
    await place.close();
  }
}

/** Kills the command right after its step number `at`, and returns all that is wrong afterwards. */
export async function problemsOf(victim: Victim, profile: ProfileName, at: number): Promise<readonly string[]> {
  const place = await openVictim(victim, profile);
  try {
    const { code } = await start(place, victim, { KILL_AT: String(at) });
    return [
      ...(code === null ? [] : [`it was not killed, and exits with ${code}`]),
      ...(await damages(place, victim)),
      ...((await victim.killed?.(place)) ?? []),
      ...(await ends(place, victim)),
    ];
  } finally {
    await place.close();
  }
}

const TEMPORARY = '.keyplane-new';

/** Lets the time pass after which a lock of a file counts as left. */
async function ageLocks(place: Place): Promise<void> {
  const left = (await filesOf(place.folder)).filter((name) => name.endsWith(TEMPORARY));
  await Promise.all(left.map((name) => utimes(join(place.folder, name), 0, 0)));
}

/** Runs the command once more, as the next job does, and then what shows that nothing is left to do. */
async function ends(
  place: Place,
  { words, again, lock, exits, after, keys, ended }: Victim,
): Promise<readonly string[]> {
  await ageLocks(place);
  // A task that ended before the kill is over: the next run submits its own.
  const isOver = (await place.read(LEDGER).catch(() => '')).includes('"settled"');
  const env = { KEYPLANE_LOCK: lock };
  const second = await place.run(again ?? words, { env });
  const third = await place.run(after, { env });
  const { requests } = await place.control<{ requests: Readonly<Record<string, number>> }>('GET', '/requests');
  return [
    ...(exits.includes(second.code ?? -1) ? [] : [`the next run exits with ${second.code}: ${second.stderr}`]),
    ...(third.code === 0 ? [] : [`${after[0]} exits with ${third.code}: ${third.stdout}${third.stderr}`]),
    ...((requests[SUBMIT] ?? 0) <= (isOver ? 2 : 1) ? [] : ['the task was paid twice']),
    ...(keys ? differences(await stateOf(place), keys) : []),
    ...((await ended?.(place)) ?? []),
    ...(await filesOf(place.folder)).filter(isLeft).map((name) => `${name} is left`),
  ];
}

const isLeft = (name: string): boolean => name.includes('/locks/') || name.endsWith(TEMPORARY);

async function filesOf(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

/** By the end of the name. A file that is being written has another. */
const READERS: readonly (readonly [end: string, read: (text: string) => unknown])[] = [
  ['.json', JSON.parse],
  ['.yaml', (text) => Object.entries(parse(text))],
  // The last line may have been cut off.
  [
    '.jsonl',
    (text) =>
      text
        .split('\n')
        .slice(0, -1)
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
  ],
];

/** Files that others can read although they hold a secret or is about the account, and files that are damaged. */
async function damages(place: Place, { secrets = [REVEALED] }: Victim): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const name of (await filesOf(place.folder)).filter((each) => each !== 'seed.yaml')) {
    // A program that the killed run had started goes on.
    const text = await place.read(name).catch(() => undefined);
    const mode = (await stat(join(place.folder, name)).catch(() => undefined))?.mode;
    if (text === undefined || mode === undefined) continue;
    const mayHold = secrets.some((each) => name.startsWith(each));
    if (text.includes(CANARY) && !mayHold) problems.push(`${name} holds a secret`);
    if ((mayHold || name.startsWith('state')) && (mode & 0o077) !== 0) problems.push(`others can read ${name}`);
    try {
      for (const [end, read] of READERS) if (name.endsWith(end)) read(text);
    } catch (thrown) {
      problems.push(`${name} is damaged, ${thrown}: ${JSON.stringify(text)}`);
    }
  }
  return problems;
}

const differences = (found: readonly string[], wanted: readonly string[]): readonly string[] => [
  ...wanted.filter((key) => !found.includes(key)).map((key) => `missing: ${key}`),
  ...found.filter((key, i) => !wanted.includes(key) || found.indexOf(key) !== i).map((key) => `too much: ${key}`),
];
