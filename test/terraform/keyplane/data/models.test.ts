import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../../../src/domain/index.ts';
import { MODELS } from '../../../../src/terraform/keyplane/data/models.ts';
import { openStage, type Stage } from '../../../checks/stage.ts';
import { type ClientChange, contextFor } from '../context.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await openStage('contract');
});
afterEach(() => stage.close());

const read = async (keyId: number | null, change: ClientChange = {}) => {
  const { models } = await MODELS.read({ key_id: keyId, models: null }, contextFor(stage.gateway, change));
  return models;
};

describe('keyplane_models', () => {
  it('are those of the account, or those that the key may use', async () => {
    const all = (await read(1)) as readonly string[];
    expect(all).toContain('alpha-chat-2');
    expect(all).toEqual([...all].sort());
    expect(await read(2)).toEqual(['alpha-chat-1']);
  });

  it('are asked with the key of the environment where none is named', async () => {
    expect(await read(null, { modelsKey: new Secret('sk-narrow') })).toEqual(['alpha-chat-1']);
  });

  it('are refused without any key, and with one that there is not', async () => {
    await expect(read(null)).rejects.toMatchObject({ diagnostics: [{ path: ['key_id'] }] });
    await expect(read(77)).rejects.toThrow('no key with the id 77');
  });

  it('report that a key is rejected', async () => {
    await expect(read(5)).rejects.toMatchObject({ code: 'gateway.refused' });
  });
});
