import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExactNumber } from '../../../src/terraform/codec/value.ts';
import { PROVIDER } from '../../../src/terraform/protocol/services.ts';
import {
  identityBytes,
  identityIn,
  jsonBytes,
  openWeather,
  stationBytes,
  stationJson,
  stationOf,
  typeName,
  type Weather,
  whole,
} from './weather-core.ts';

let weather: Weather;
beforeEach(async () => {
  weather = await openWeather();
});
afterEach(async () => {
  expect(weather.defects).toEqual([]);
  await weather.close();
});

const ROOF = { name: 'roof', place: 'Ghent', id: 1 };
const summaries = ({ diagnostics }: { readonly diagnostics: readonly { readonly summary: string }[] }) =>
  diagnostics.map(({ summary }) => summary);

describe('a stored state', () => {
  const upgrade = (version: number, json: unknown) =>
    weather.ask(PROVIDER.upgradeResourceState, { typeName, version, rawState: { json: jsonBytes(json) } });

  it('of this version is read with every digit; attributes that the schema does not have are dropped', async () => {
    const answer = await upgrade(2, '{"name":"roof","place":"Ghent","id":0.12345678901234567890,"old":[1]}');
    expect(answer.diagnostics).toEqual([]);
    expect(stationOf(answer.upgradedState)).toMatchObject({
      name: 'roof',
      id: new ExactNumber('0.12345678901234567890'),
      sensors: null,
    });
  });

  it('of this version that has each attribute, and no other, is left to core', async () => {
    const json = stationJson({ name: 'roof', place: 'Ghent', id: 7 });
    const { upgradedState } = await weather.ask(PROVIDER.upgradeResourceState, {
      typeName,
      version: 2,
      rawState: { json },
    });
    expect(upgradedState).toMatchObject({ json, msgpack: new Uint8Array() });
  });

  it('of an older version is upgraded, or refused by the provider', async () => {
    expect(stationOf((await upgrade(1, { title: 'roof', place: 'Ghent' })).upgradedState)).toMatchObject({
      name: 'roof',
      place: 'Ghent',
    });
    const refused = await upgrade(0, {});
    expect([summaries(refused), refused.upgradedState]).toEqual([['Too old'], undefined]);
  });

  it('that is damaged is an error that explains what to do, and no bug of the provider', async () => {
    const damaged = 'The state of this resource is damaged';
    const edited = await upgrade(2, { name: 'roof', sensors: [{ offset: 'much' }] });
    expect(edited.diagnostics).toMatchObject([
      { summary: `${damaged} (sensors[0].offset: a number expected)`, detail: expect.stringContaining('state rm') },
    ]);
    for (const text of ['{"etag":', 'null', '[]', '"e"']) {
      const stored = Buffer.from(text);
      const answers = [
        await weather.ask(PROVIDER.readResource, { typeName, state: stationBytes(ROOF), private: stored }),
        await weather.plan(ROOF, ROOF, { priorPrivate: stored }),
        await weather.plan(ROOF, null, { priorPrivate: stored }),
      ];
      for (const answer of answers)
        expect(summaries(answer), text).toEqual([`${damaged} (private: not an object in JSON)`]);
    }
  });

  it('of a newer version is an error that explains what to do', async () => {
    const { diagnostics } = await upgrade(3, { name: 'roof' });
    expect(diagnostics).toMatchObject([{ severity: 1, detail: expect.stringContaining('schema version 3') }]);
  });
});

describe('a stored identity', () => {
  const upgrade = (version: number) =>
    weather.ask(PROVIDER.upgradeResourceIdentity, {
      typeName,
      version,
      rawIdentity: { json: jsonBytes({ id: 7, planet: 3 }) },
    });

  it('is read as the schema has it, unless it is newer', async () => {
    expect(identityIn((await upgrade(1)).upgradedIdentity)).toEqual({ id: 7, observer: null });
    const newer = await upgrade(2);
    expect([newer.upgradedIdentity, summaries(newer)]).toEqual([
      undefined,
      [`The identity of this ${typeName} was written by a newer version of the provider`],
    ]);
  });
});

describe('an import', () => {
  const seed = () => {
    const { schema } = weather.provider.resources[typeName] as NonNullable<(typeof weather.provider.resources)[string]>;
    const state = whole(schema, { name: 'roof', place: 'Ghent', id: 5, password: 'p' });
    weather.world.stations.set(5, { state, private: { etag: 'e5' } });
  };

  it.each([
    ['by id', { id: '5' }],
    ['by identity', { identity: identityBytes(5) }],
  ])('%s gives state, private part and identity', async (_, by) => {
    seed();
    const { importedResources, diagnostics } = await weather.ask(PROVIDER.importResourceState, { typeName, ...by });
    const [imported] = importedResources;
    expect([importedResources.length, diagnostics, imported?.typeName]).toEqual([1, [], typeName]);
    expect(stationOf(imported?.state)).toMatchObject({ id: 5, password: null });
    expect(Buffer.from(imported?.private ?? []).toString()).toBe('{"etag":"e5"}');
    expect(identityIn(imported?.identity)).toEqual({ id: 5, observer: 'Ann' });
  });

  it('of what there is not is an error', async () => {
    const answer = await weather.ask(PROVIDER.importResourceState, { typeName, id: '6' });
    expect([summaries(answer), answer.importedResources]).toEqual([['There is no station "6"'], []]);
  });
});

describe('a move', () => {
  const move = (sourceTypeName: string) =>
    weather.ask(PROVIDER.moveResourceState, {
      sourceProviderAddress: 'registry.terraform.io/acme/sky',
      sourceTypeName,
      sourceState: { json: jsonBytes({ number: 9 }) },
      targetTypeName: typeName,
    });

  it('takes over what the provider knows, with its private part', async () => {
    const answer = await move('sky_station');
    expect(stationOf(answer.movedState)).toMatchObject({ id: 9, name: null, password: null });
    expect(Buffer.from(answer.movedPrivate).toString()).toBe('{"etag":"moved"}');
  });

  it('of anything else is refused', async () => {
    expect(summaries(await move('sky_moon'))).toEqual([
      `Cannot move a sky_moon of registry.terraform.io/acme/sky to a ${typeName}`,
    ]);
  });
});
