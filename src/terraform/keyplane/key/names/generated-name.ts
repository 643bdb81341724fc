import { type DesiredKey, keyName, looksLikeCredential, nameFold, nameProblem } from '../../../../domain/index.ts';
import { createDigest, type Recognized, settingsOfNew } from '../../../../reconcile/index.ts';
import type { TerraformObject, TerraformValue } from '../../../codec/value.ts';
import type { DiagnosticContent } from '../../../provider/diagnostics.ts';
import type { Client } from '../../client.ts';
import { recognizeOwn } from '../creates/recognize-own.ts';

/** The names of keys that are configured with `name_prefix`: the prefix, the day of creation and a random word. */

/** No vowels, so that it spells nothing, and no digits that look like letters. */
const LETTERS = 'bcdfghjkmnpqrstvwxz2456789';
const LENGTH = 6;
const SUFFIX = new RegExp(`\\d{8}-[${LETTERS}]{${LENGTH}}$`);
const SAMPLE = `20260101-${LETTERS.slice(0, LENGTH)}`;

/** A name as a new key with this prefix gets one, for judgments before it is chosen. */
export const sampleName = (prefix: string): string => `${prefix}${SAMPLE}`;

export function prefixErrors(value: TerraformValue): readonly DiagnosticContent[] {
  const prefix = String(value);
  if (looksLikeCredential(prefix)) {
    const detail = 'Names are shown everywhere. If this is a credential, revoke it.';
    return [{ summary: 'The prefix looks like a credential', detail }];
  }
  const problem = prefix === '' ? 'it is empty' : nameProblem(sampleName(prefix));
  if (problem === undefined) return [];
  const detail = `${JSON.stringify(prefix)}: with the ${SAMPLE.length} characters that follow it, such as \`${SAMPLE}\`, ${problem}.`;
  return [{ summary: 'Invalid prefix of a key name', detail: prefix === '' ? 'It is empty.' : detail }];
}

const isGenerated = (name: string, prefix: string): boolean =>
  name.startsWith(prefix) && SUFFIX.exec(name)?.index === prefix.length;

/**
 * Returns the name that an existing key keeps or gets: it keeps one that begins with the prefix, and else keeps its generated part.
 * Undefined: a new one is generated at the apply.
 */
export function nameWithPrefix(current: string, prefix: string): string | undefined {
  if (current.startsWith(prefix)) return current;
  const suffix = SUFFIX.exec(current)?.[0];
  return suffix === undefined ? undefined : `${prefix}${suffix}`;
}

function randomWord(random: () => number): string {
  return Array.from({ length: LENGTH }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}

/** Generates and claims a name that no key of the account has, and none that this process makes. */
export async function generateName(prefix: string, { store, claimedNames, now, random }: Client): Promise<string> {
  const day = new Date(now() * 1000).toISOString().slice(0, 10).replaceAll('-', '');
  const taken = new Set([...(await store.recent()).map(({ name }) => name), ...claimedNames].map(nameFold));
  for (;;) {
    const name = `${prefix}${day}-${randomWord(random)}`;
    if (taken.has(nameFold(name)) || claimedNames.has(name)) continue;
    claimedNames.add(name);
    return name;
  }
}

/** A create that a killed process left under a prefix: the next one with the same settings continues it. */
interface LeftName {
  readonly name: string;
  readonly found: Recognized;
  readonly isSame: boolean;
}

/**
 * Returns the creates that killed processes left under a prefix. One with other settings may be that of another resource with the
 * prefix: only a name that is configured shows whose it is.
 */
export async function leftUnder(prefix: string, desired: DesiredKey, client: Client): Promise<readonly LeftName[]> {
  const left = ((await client.creates?.left()) ?? []).filter(({ name }) => isGenerated(name, prefix));
  if (left.length === 0) return [];
  const [quotaPerUnit, keys] = await Promise.all([client.store.quotaPerUnit(), client.store.recent()]);
  const digestOf = (name: string): string =>
    createDigest(settingsOfNew({ ...desired, name: keyName(name) }, quotaPerUnit));
  const names = [...new Set(left.map(({ name }) => name))].map(async (name): Promise<readonly LeftName[]> => {
    const found = await recognizeOwn(name, client, keys);
    const isSame = left.some((create) => create.name === name && create.digest === digestOf(name));
    return found ? [{ name, found, isSame }] : [];
  });
  return (await Promise.all(names)).flat();
}

const CONTINUED: readonly string[] = ['own', 'absent'];

/**
 * Chooses and claims the name of a new key: that of a create which a killed process left, so that its key is adopted, or a new one.
 * Nothing is awaited between the choice and the claim, because resources with one prefix choose concurrently.
 */
export async function chooseName(prefix: string, desired: DesiredKey, client: Client): Promise<string> {
  const left = await leftUnder(prefix, desired, client);
  const own = left.find(
    ({ name, found, isSame }) => isSame && CONTINUED.includes(found.state) && !client.claimedNames.has(name),
  );
  if (own === undefined) return await generateName(prefix, client);
  client.claimedNames.add(own.name);
  return own.name;
}

/** The configured prefix of a key without a configured name. */
export const prefixOf = ({ name = null, name_prefix: prefix = null }: TerraformObject): string | undefined =>
  name === null && typeof prefix === 'string' ? prefix : undefined;
