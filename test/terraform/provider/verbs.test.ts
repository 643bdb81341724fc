import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeValue } from '../../../src/terraform/codec/msgpack.ts';
import { type TerraformValue, UNKNOWN } from '../../../src/terraform/codec/value.ts';
import { PROVIDER } from '../../../src/terraform/protocol/services.ts';
import { type Schema, typeOf } from '../../../src/terraform/provider/schema.ts';
import { bytes, identityIn, openWeather, stationOf, typeName, type Weather, whole } from './weather-core.ts';

let weather: Weather;
beforeEach(async () => {
  weather = await openWeather();
});
afterEach(async () => {
  expect(weather.defects).toEqual([]);
  await weather.close();
});

/** A configuration; null: people wrote no block for it. */
const configOf = (
  member: { readonly schema: Schema } | undefined,
  given: Readonly<Record<string, TerraformValue>> | null,
) => {
  const { schema } = member as { readonly schema: Schema };
  return bytes(given && whole(schema, given), typeOf(schema));
};

describe('a listing', () => {
  const seed = () => {
    const { schema } = weather.provider.resources[typeName] as { readonly schema: Schema };
    for (const id of [1, 2, 3]) {
      const state = whole(schema, { id, name: `n${id}`, place: id === 2 ? 'Bruges' : 'Ghent', password: 'p' });
      weather.world.stations.set(id, { state });
    }
  };
  const list = (place: TerraformValue, more = {}, from = weather) => {
    const config = configOf(from.provider.listResources[typeName], place === null ? null : { place });
    return from.stream(PROVIDER.listResource, { typeName, config, ...more });
  };

  it('gives each object with name and identity, and its warnings with it', async () => {
    seed();
    const events = await list(null);
    expect(events.map(({ displayName }) => displayName)).toEqual(['n1', 'n2', 'n3']);
    expect(events.map(({ identity }) => identityIn(identity))).toEqual([1, 2, 3].map((id) => ({ id, observer: null })));
    expect(events.map(({ diagnostics }) => diagnostics.map(({ summary }) => summary))).toEqual([
      ['Seen 1'],
      ['Seen 2'],
      ['Seen 3'],
    ]);
    expect(events.every(({ resourceObject }) => resourceObject === undefined)).toBe(true);
  });

  it('gives whole objects where they are wanted, without what is write-only', async () => {
    seed();
    const [event] = await list('Bruges', { includeResourceObject: true });
    expect(stationOf(event?.resourceObject)).toMatchObject({ id: 2, place: 'Bruges', password: null });
  });

  it('looks no further than core wants', async () => {
    seed();
    expect(await list(null, { limit: 2 })).toHaveLength(2);
    expect(weather.world.looked).toBe(2);
  });

  it('reports in a final event what went wrong', async () => {
    seed();
    expect(await list('cliff')).toMatchObject([
      { identity: undefined, diagnostics: [{ severity: 1, detail: 'it fell' }] },
    ]);
    const early = await openWeather(UNKNOWN);
    expect(await list(null, {}, early)).toMatchObject([
      { diagnostics: [{ summary: 'The provider is not configured yet' }] },
    ]);
    await early.close();
  });

  it('is judged at its attributes, and without a block of its own too', async () => {
    const judge = async (place: string | null) => {
      const config = configOf(weather.provider.listResources[typeName], place === null ? null : { place });
      return (await weather.ask(PROVIDER.validateListResourceConfig, { typeName, config })).diagnostics;
    };
    expect(await judge('wet')).toMatchObject([{ attribute: { steps: [{ attributeName: 'place' }] } }]);
    expect(await judge(null)).toEqual([]);
  });
});

describe('an action', () => {
  const request = (place: TerraformValue) => ({
    typeName: 'weather_rain',
    config: configOf(weather.provider.actions.weather_rain, place === null ? null : { place }),
  });

  it('reports its progress, and then its completion, with its warnings', async () => {
    const plan = await weather.ask(PROVIDER.planAction, request(UNKNOWN));
    expect(plan.diagnostics).toEqual([]);
    const events = await weather.stream(PROVIDER.invokeAction, request(null));
    expect(events.map(({ progress }) => progress?.message)).toEqual(['clouds over Ann', 'drops', undefined]);
    expect(events.at(-1)?.completed?.diagnostics).toMatchObject([{ severity: 2, summary: 'Take an umbrella' }]);
  });

  it('completes with the error that ended it', async () => {
    const events = await weather.stream(PROVIDER.invokeAction, request('desert'));
    expect(events).toHaveLength(2);
    expect(events.at(-1)?.completed?.diagnostics).toMatchObject([
      { severity: 2 },
      { severity: 1, summary: 'No water', attribute: { steps: [{ attributeName: 'place' }] } },
    ]);
  });

  it('that there is not is refused in its plan and as its end', async () => {
    const strange = { ...request('sea'), typeName: 'weather_snow' };
    const output = [{ severity: 1, summary: 'There is no action weather_snow' }];
    expect((await weather.ask(PROVIDER.planAction, strange)).diagnostics).toMatchObject(output);
    expect(await weather.stream(PROVIDER.invokeAction, strange)).toMatchObject([
      { completed: { diagnostics: output } },
    ]);
  });
});

describe('an ephemeral resource', () => {
  const open = async (hour: TerraformValue, from = weather) => {
    const member = from.provider.ephemerals.weather_ticket;
    const config = configOf(member, { hour });
    const answer = await from.ask(PROVIDER.openEphemeralResource, { typeName: 'weather_ticket', config });
    const { result, diagnostics } = answer;
    return {
      ...answer,
      diagnostics,
      result: result && decodeValue(result.msgpack, typeOf((member as { schema: Schema }).schema)),
    };
  };

  it('is opened, never to be renewed, and closed', async () => {
    const { result, diagnostics, renewAt } = await open(12);
    expect([result, renewAt]).toEqual([{ hour: 12, sky: 'ticket of Ann' }, undefined]);
    expect(diagnostics).toMatchObject([{ severity: 2 }]);
    const name = { typeName: 'weather_ticket' };
    expect((await weather.ask(PROVIDER.renewEphemeralResource, name)).diagnostics).toEqual([]);
    expect((await weather.ask(PROVIDER.closeEphemeralResource, name)).diagnostics).toEqual([]);
  });

  it('that cannot be opened gives no result', async () => {
    expect(await open(24)).toMatchObject({
      result: undefined,
      diagnostics: [{ severity: 1, attribute: { steps: [{ attributeName: 'hour' }] } }],
    });
    const early = await openWeather(UNKNOWN);
    expect((await open(12, early)).diagnostics).toMatchObject([{ summary: 'The provider is not configured yet' }]);
    await early.close();
  });
});
