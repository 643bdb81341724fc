import { expect, it } from 'vitest';
import { Fault, type FaultCode, keyId, Secret } from '../../src/domain/index.ts';
import { proveSecretsWith } from '../../src/reconcile/index.ts';

const OWN = new Secret('sk-own');

it.each<[title: string, own: FaultCode | undefined, unknown: FaultCode | undefined, expected: FaultCode | undefined]>([
  ['proves a secret that lists the models', undefined, undefined, undefined],
  ['does not prove a secret that is rejected', 'key.refused', 'key.refused', 'key.refused'],
  ['proves a secret that is known and not allowed from here', 'key.address-not-allowed', 'key.refused', undefined],
  [
    'proves nothing where every secret is rejected for its address',
    'key.address-not-allowed',
    'key.address-not-allowed',
    'key.address-not-allowed',
  ],
  [
    'proves nothing where an unknown secret is accepted',
    'key.address-not-allowed',
    undefined,
    'key.address-not-allowed',
  ],
])('%s', async (_, own, unknown, expected) => {
  const inference = (secret: Secret) => ({
    async models() {
      const code = secret.equals(OWN) ? own : unknown;
      if (code) throw new Fault(code, code);
    },
  });
  const prove = proveSecretsWith({ store: { reveal: async () => new Map([[keyId(1), OWN]]) }, inference });
  expect((await prove([keyId(1)])).get(keyId(1))?.code).toBe(expected);
});
