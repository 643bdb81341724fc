import { asFault, Fault, fitsMask, type KeyId, type Secret } from '../../domain/index.ts';
import { SYSTEM_LIMITS } from '../../wire/index.ts';
import { batches, lacksEndpoint, undefinedIfGone } from './absence.ts';
import type { ReadAgain } from './read-again.ts';
import type { SystemApi } from './system-api.ts';

interface SecretQuery {
  readonly ids: readonly KeyId[];
  /** The masks that records showed. */
  readonly masks: ReadonlyMap<KeyId, string>;
  readonly readAgain: ReadAgain;
}

type Secrets = ReadonlyMap<KeyId, Secret>;

/**
 * Reveals secrets, each of the key that it was revealed for: whoever gets another one could use that key.
 *
 * @throws Fault `gateway.unexpected-shape` when a secret is that of another key
 */
export async function revealAll(api: SystemApi, { ids, masks, readAgain }: SecretQuery): Promise<Secrets> {
  const all = new Map<KeyId, Secret>();
  for (const batch of batches(ids, SYSTEM_LIMITS.revealBatch)) {
    for (const [id, secret] of await revealBatch(api, batch, readAgain)) all.set(id, secret);
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
 * nothing, and shows the secret in the record.
 */
async function revealBatch(api: SystemApi, ids: readonly KeyId[], readAgain: ReadAgain): Promise<Secrets> {
  try {
    return await api.revealKeys(ids);
  } catch (thrown) {
    if (asFault(thrown).code !== 'gateway.unexpected-shape' && !lacksEndpoint(thrown)) throw thrown;
  }
  try {
    return await revealEach(api, ids);
  } catch (thrown) {
    const shown = lacksEndpoint(thrown) ? [...(await readAgain(ids)).values()] : [];
    if (!shown.some(({ credential }) => credential)) throw thrown;
    return new Map(shown.flatMap(({ id, credential }) => (credential ? [[id, credential]] : [])));
  }
}

async function revealEach(api: SystemApi, ids: readonly KeyId[]): Promise<Secrets> {
  const found = new Map<KeyId, Secret>();
  for (const id of ids) {
    const secret = await undefinedIfGone(api, id, api.revealKey(id));
    if (secret) found.set(id, secret);
  }
  return found;
}
