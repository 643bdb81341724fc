import { parse } from 'yaml';
import type { Place } from '../acceptance/place.ts';
import type { Victim } from './victims.ts';

/** The three sinks of the key, whose readers a kill must never leave without a secret that works. */
const SINKS = ['.env', 'llm.yaml', 'stored.txt'];
const DELIVER = `deliver:
      - { file: .env, format: dotenv, as: LLM_KEY, propagate: 1s }
      - { kubernetesSecret: { name: llm, file: llm.yaml }, propagate: 1s }
      - { exec: [sh, -c, "umask 077; cat > stored.$$; mv stored.$$ stored.txt"], read: [sh, -c, "test ! -e stored.txt || cat stored.txt"], propagate: 1s }`;

const declared = (more = ''): string => `  app-upd:\n    budget: { usd: 1, initial: true }\n    ${DELIVER}${more}`;

/** The secret that each sink holds, as its readers get it. */
const HELD: Readonly<Record<string, (text: string) => string | undefined>> = {
  '.env': (text) => /^LLM_KEY=(.*)$/m.exec(text)?.[1],
  'llm.yaml': (text) => Buffer.from(parse(text).data['api-key'], 'base64').toString(),
  'stored.txt': (text) => text,
};

const heldIn = async (place: Place): Promise<readonly (string | undefined)[]> =>
  Promise.all(SINKS.map(async (name) => HELD[name]?.(await place.read(name))));

/** Asks the gateway, as a reader of the secret does. */
async function works(place: Place, secret: string | undefined): Promise<boolean> {
  const answer = await fetch(`${place.url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } });
  await answer.text();
  return answer.ok;
}

async function unusable(place: Place): Promise<readonly string[]> {
  const held = await heldIn(place);
  const usable = await Promise.all(held.map((secret) => works(place, secret)));
  return SINKS.filter((_, n) => !usable[n]).map((name) => `${name} holds a secret that does not work`);
}

/** Right after the kill: every sink has a secret that works, and the old key works as long as a sink has its secret. */
const killed = (place: Place): Promise<readonly string[]> => unusable(place);

/**
 * After the next run: every sink has the same secret, which works, and the key has one successor at most. A key that leaked does not
 * work if it has one.
 */
async function ended(place: Place, isLeaked = false): Promise<readonly string[]> {
  const held = new Set(await heldIn(place));
  const keys = (await place.keys()).filter(({ name }) => name.startsWith('app-upd'));
  const old = keys.find(({ name }) => name === 'app-upd');
  const successors = keys.filter(({ name }) => name !== 'app-upd');
  const mustWork = !isLeaked || successors.length === 0;
  return [
    ...(held.size === 1 ? [] : ['the sinks hold different secrets']),
    ...(successors.length <= 1 ? [] : [`${successors.length} successors`]),
    ...(successors.every(({ status }) => status === 1) ? [] : ['the successor is disabled']),
    ...((old?.status === 1) === mustWork ? [] : [`the old key has status ${old?.status}`]),
    ...(await unusable(place)),
  ];
}

const COMMON = ['--allow-exec', '--concurrency', '1'];
const APPLY = ['apply', '--yes', ...COMMON];
const AFTER = { lock: 'file', exits: [0], killed, ended, again: APPLY, after: ['drift'] } as const;
const DELIVERED = { ...AFTER, secrets: [...SINKS, 'stored.'] };

/** The key works, and its secret is in the three sinks. */
async function deliver(place: Place): Promise<void> {
  await place.declare(declared());
  // The entry of a file may be that of somebody else, until Keyplane has written it.
  const { code, stderr } = await place.run([...APPLY, '--no-check']);
  if (code !== 0) throw new Error(stderr);
}

export const ROTATING: readonly Victim[] = [
  {
    ...DELIVERED,
    title: 'keys rotate with three sinks',
    prepare: deliver,
    words: ['keys', 'rotate', 'app-upd', '--overlap', '1h', '--yes', ...COMMON],
  },
  {
    ...DELIVERED,
    title: 'keys rotate of a leaked key with three sinks',
    prepare: deliver,
    words: ['keys', 'rotate', 'app-upd', '--leaked', '--yes', ...COMMON],
    // A run that delivers the new secret ends no old generation: the one after it does.
    exits: [0, 5],
    after: APPLY,
    ended: (place) => ended(place, true),
  },
  {
    ...DELIVERED,
    title: 'apply of a scheduled rotation with three sinks',
    async prepare(place) {
      await deliver(place);
      await place.declare(declared('\n    rotate: { every: 1h, overlap: 45m }'));
    },
    words: APPLY,
    keys: [
      '1 app-upd 1 500000 default',
      '2 app-on 2 500000 default',
      '3 app-off 1 500000 default',
      '4 app-old 1 500000 default',
      '5 app-del 1 500000 default',
      '6 other 1 777 default',
      'new app-upd~DATE 1 500000 default',
    ],
  },
];
