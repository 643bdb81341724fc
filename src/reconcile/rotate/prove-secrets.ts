import { asFault, Fault, type KeyId, Secret } from '../../domain/index.ts';
import type { ProveSecrets } from '../apply/run.ts';
import type { KeyStore } from '../ports.ts';

/** The parts of a gateway that prove secrets. */
interface SecretProver {
  readonly store: Pick<KeyStore, 'reveal'>;
  readonly inference: (secret: Secret) => { models(): Promise<unknown> };
}

const unknown = (id: KeyId): Fault =>
  new Fault('gateway.not-found', `The gateway does not reveal the secret of key ${id}.`);

/** A secret that no gateway has given out. */
const NOBODYS = new Secret('sk-keyplane-expects-that-this-one-is-unknown');

/**
 * Proves secrets by listing the models with each of them: the gateway authenticates that request, and it is free.
 *
 * Runs often start where a key is not allowed. A secret that the gateway rejects for the address alone is proven too, if it rejects an
 * unknown one as unknown: so it knows this one, and nothing in front of it rejects every request.
 */
export const proveSecretsWith =
  ({ store, inference }: SecretProver): ProveSecrets =>
  async (ids) => {
    const revealed = await store.reveal(ids);
    const list = (secret: Secret): Promise<Fault | undefined> =>
      inference(secret)
        .models()
        .then(() => undefined, asFault);
    const prove = async (id: KeyId, secret: Secret | undefined): Promise<Fault | undefined> => {
      if (secret === undefined) return unknown(id);
      const fault = await list(secret);
      const isKnown = fault?.code === 'key.address-not-allowed' && (await list(NOBODYS))?.code === 'key.refused';
      return isKnown ? undefined : fault;
    };
    return new Map(await Promise.all(ids.map(async (id) => [id, await prove(id, revealed.get(id))] as const)));
  };
