import { describe, expect, it } from 'vitest';
import { type KeyId, Secret } from '../../../../src/domain/index.ts';
import type { TerraformObject } from '../../../../src/terraform/codec/value.ts';
import { type Client, openRunMemory } from '../../../../src/terraform/keyplane/client.ts';
import { EPHEMERAL_SECRET, STORED_SECRET } from '../../../../src/terraform/keyplane/data/secret.ts';
import type { ProtocolDiagnostic } from '../../../../src/terraform/provider/diagnostics.ts';
import { plainKey } from '../../../plain-key.ts';

const KEYS = [plainKey(7, { name: 'search' }), plainKey(8, { name: 'gone' })];

const reveal = async (ids: readonly KeyId[]) =>
  new Map(ids.filter((id) => id !== 8).map((id) => [id, new Secret(`sk-secret-of-${id}`)]));

function context(requests = 1) {
  const warnings: Omit<ProtocolDiagnostic, 'severity'>[] = [];
  const store = { list: async () => KEYS, reveal, revealRequests: () => requests };
  const client = { store, run: openRunMemory() } as unknown as Client;
  return {
    client,
    warnings,
    signal: new AbortController().signal,
    warn: (output: Omit<ProtocolDiagnostic, 'severity'>) => warnings.push(output),
  };
}

const nothing: TerraformObject = { id: null, name: null, secret: null };
const FOUND = { id: 7, name: 'search', secret: 'sk-secret-of-7' };

describe('the secret of a key', () => {
  it.each([{ id: 7 }, { name: 'search' }])('is opened for one run with %j, without a word', async (asked) => {
    const place = context();
    expect(await EPHEMERAL_SECRET.open({ ...nothing, ...asked }, place)).toEqual(FOUND);
    expect(place.warnings).toEqual([]);
  });

  it('comes with one warning once half of the reveals of a limit are used', async () => {
    const place = context(10);
    await EPHEMERAL_SECRET.open({ ...nothing, id: 7 }, place);
    await EPHEMERAL_SECRET.open({ ...nothing, id: 7 }, place);
    expect(place.warnings).toMatchObject([
      { summary: 'Credentials took 10 of the 20 reveals that most gateways allow in 20 minutes' },
    ]);
  });

  it('comes with the warning at the first reveal after other runs on this machine, and with how many fit', async () => {
    const place = context();
    const client = { ...place.client, reveals: { count: async () => 17 } };
    await EPHEMERAL_SECRET.open({ ...nothing, id: 7 }, { ...place, client });
    expect(place.warnings).toMatchObject([
      {
        summary: 'Credentials took 17 of the 20 reveals that most gateways allow in 20 minutes',
        detail: expect.stringContaining('The next 3 fit'),
      },
    ]);
  });

  it('is stored by the data source, which warns at each read', async () => {
    const place = context();
    expect(await STORED_SECRET.read({ ...nothing, id: 7 }, place)).toEqual(FOUND);
    expect(place.warnings).toMatchObject([{ summary: expect.stringContaining('stored in the state') }]);
    expect(STORED_SECRET.schema).toMatchObject({ isDeprecated: true, attributes: { secret: { isSensitive: true } } });
  });

  it.each<[TerraformObject, string, string]>([
    [{}, 'name', 'Set either `id` or `name`'],
    [{ name: 'nobody' }, 'name', 'no key named "nobody"'],
    [{ name: 'gone' }, 'name', 'does not reveal the key "gone"'],
    [{ id: 8 }, 'id', 'does not reveal the key "gone"'],
  ])('is refused with %j at %s', async (asked, field, message) => {
    const opening = EPHEMERAL_SECRET.open({ ...nothing, ...asked }, context());
    await expect(opening).rejects.toMatchObject({
      message: expect.stringContaining(message),
      diagnostics: [{ path: [field] }],
    });
  });
});
