import { asFault, Fault, type KeyId, type Secret } from '../../domain/index.ts';
import type { ProveSecrets } from '../apply/run.ts';
import type { KeyStore } from '../ports.ts';

/** The parts of a gateway that prove secrets. */
interface SecretProver {
  readonly store: Pick<KeyStore, 'reveal'>;
  readonly inference: (secret: Secret) => { models(): Promise<unknown> };
}

const unknown = (id: KeyId): Fault =>
  new Fault('gateway.not-found', `The gateway does not reveal the secret of key ${id}.`);

/** Proves secrets by listing the models with each of them: the gateway authenticates that request, and it is free. */
export const proveSecretsWith =
  ({ store, inference }: SecretProver): ProveSecrets =>
  async (ids) => {
    const revealed = await store.reveal(ids);
    const prove = async (id: KeyId, secret: Secret | undefined): Promise<Fault | undefined> => {
      if (secret === undefined) return unknown(id);
      return await inference(secret)
        .models()
        .then(() => undefined, asFault);
    };
    return new Map(await Promise.all(ids.map(async (id) => [id, await prove(id, revealed.get(id))] as const)));
  };
