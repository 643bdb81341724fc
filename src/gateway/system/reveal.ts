import { asFault, Fault, fitsMask, type KeyId, type Secret } from '../../domain/index.ts';
import { SYSTEM_LIMITS } from '../../wire/index.ts';
import { lacksEndpoint } from '../response-fault.ts';
import { undefinedIfGone } from './absence.ts';
import { batches } from './limits.ts';
import type { ReadAgain } from './read-again.ts';
import type { Session } from './session.ts';
import type { SystemApi } from './system-api.ts';

interface RevealSides {
  readonly readAgain: ReadAgain;
  readonly session: Pick<Session, 'reveals'>;
}

interface SecretQuery extends RevealSides {
  readonly ids: readonly KeyId[];
  /** The masks that records showed. */
  readonly masks: ReadonlyMap<KeyId, string>;
}

type Secrets = ReadonlyMap<KeyId, Secret>;

/**
 * Reveals secrets, each of the key that it was revealed for: whoever gets another one could use that key.
 *
 * @throws Fault `gateway.unexpected-shape` when a secret is that of another key
 */
export async function revealAll(api: SystemApi, { ids, masks, ...sides }: SecretQuery): Promise<Secrets> {
  const all = new Map<KeyId, Secret>();
  for (const batch of batches(ids, SYSTEM_LIMITS.revealBatch)) {
    for (const [id, secret] of await revealBatch(api, batch, sides)) all.set(id, secret);
  }
  const owners = new Map<string, KeyId>();
  for (const [id, secret] of all) {
    const value = secret.reveal();
    const owner = owners.get(value);
    const mask = masks.get(id) ?? '';
    if (owner !== undefined) throw foreignSecret(`The gateway revealed one secret for the keys ${owner} and ${id}.`);
    if (SHOWS_ENDS.test(mask) && !fitsMask(secret, mask)) {
      throw foreignSecret(
        `The gateway revealed a secret for key ${id} that does not match the mask of that key, ${mask}.`,
      );
    }
    owners.set(value, id);
  }
  return all;
}

/** A mask like `sk-Ab12**********yZ89`. Others need not consist of the secret. */
const SHOWS_ENDS = /^[\w-]+\*+[\w-]+$/;

const foreignSecret = (message: string): Fault =>
  new Fault('gateway.unexpected-shape', message, {
    hint: 'It was neither shown nor delivered. Does a proxy or a cache in front of the gateway mix up responses?',
  });

/**
 * Reveals the secrets of up to 100 keys. The contract does not define the shape of a batch, and new-api has batches since
 * version 0.12.3: one that cannot be parsed or sent is replaced by single reveals. Before version 0.11.4, new-api reveals
 * nothing, and shows the secret in the record. What a gateway lacks is asked for once.
 */
async function revealBatch(api: SystemApi, ids: readonly KeyId[], sides: RevealSides): Promise<Secrets> {
  const { session, readAgain } = sides;
  if (session.reveals === undefined) {
    try {
      return await api.revealKeys(ids);
    } catch (thrown) {
      if (lacksEndpoint(thrown)) session.reveals = 'each';
      else if (asFault(thrown).code !== 'gateway.unexpected-shape') throw thrown;
    }
  }
  let refusal: unknown;
  if (session.reveals !== 'listed') {
    try {
      return await revealEach(api, ids);
    } catch (thrown) {
      if (!lacksEndpoint(thrown)) throw thrown;
      refusal = thrown;
    }
  }
  const keys = [...(await readAgain(ids)).values()];
  const listed = keys.flatMap(({ id, credential }) => (credential ? [[id, credential] as const] : []));
  if (listed.length > 0) session.reveals = 'listed';
  if (listed.length > 0 || keys.length === 0) return new Map(listed);
  // Somebody has updated the gateway, or it has no way to reveal at all.
  session.reveals = undefined;
  if (refusal !== undefined) throw refusal;
  return await revealBatch(api, ids, sides);
}

async function revealEach(api: SystemApi, ids: readonly KeyId[]): Promise<Secrets> {
  const found = new Map<KeyId, Secret>();
  for (const id of ids) {
    const secret = await undefinedIfGone(api, id, api.revealKey(id));
    if (secret) found.set(id, secret);
  }
  return found;
}
