import { Decoder, Encoder } from '@msgpack/msgpack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TerraformValue, UNKNOWN } from '../../../src/terraform/codec/value.ts';
import { PROVIDER } from '../../../src/terraform/protocol/services.ts';
import type { Weather } from './weather-core.ts';
import {
  identityBytes,
  identityIn,
  jsonBytes,
  openWeather,
  stationBytes,
  stationOf,
  typeName,
} from './weather-core.ts';

let weather: Weather;
beforeEach(async () => {
  weather = await openWeather();
});
afterEach(async () => {
  // Whatever goes wrong in a provider is a diagnostic.
  expect(weather.defects).toEqual([]);
  await weather.close();
});

type Some = Readonly<Record<string, TerraformValue>>;

const ROOF = { name: 'roof', place: 'Ghent' };
const summaries = ({ diagnostics }: { readonly diagnostics: readonly { readonly summary: string }[] }) =>
  diagnostics.map(({ summary }) => summary);
const hidden = (answer: { readonly private: Uint8Array }) => Buffer.from(answer.private).toString();

/** Plans and makes a station, and gives what core keeps of it. */
async function made(config: Some = ROOF) {
  const planned = stationOf((await weather.plan(null, config)).plannedState);
  const answer = await weather.apply(null, planned, config);
  return { planned, answer, state: stationOf(answer.newState) };
}

describe('a plan', () => {
  it('of a new object has what is written, defaults, and the rest unknown', async () => {
    const answer = await weather.plan(null, { ...ROOF, password: 'p' });
    expect(answer.diagnostics).toEqual([]);
    expect(stationOf(answer.plannedState)).toMatchObject({
      ...ROOF,
      unit: 'celsius',
      id: UNKNOWN,
      sensors: null,
      roof: null,
    });
    expect(answer.requiresReplace).toEqual([]);
  });

  it('never has what is write-only, even if the provider puts it there', async () => {
    const sensors = [{ kind: 'wind', offset: null, serial: null, pin: '1' }];
    const alarms = [{ text: 'hot', code: null, pin: '2' }];
    const { plannedState } = await weather.plan(null, { ...ROOF, password: 'p', sensors, alarms });
    expect(stationOf(plannedState)).toMatchObject({
      password: null,
      sensors: [{ kind: 'wind', offset: 0, serial: UNKNOWN, pin: null }],
      alarms: [{ text: 'hot', code: UNKNOWN, pin: null }],
    });
  });

  it('keeps in nested objects what was computed, and asks for what is new', async () => {
    const sensor = (kind: string) => ({ kind, offset: null, serial: null, pin: null });
    const prior = { ...ROOF, id: 1, sensors: [{ ...sensor('wind'), offset: 0, serial: 's1' }] };
    const { plannedState } = await weather.plan(prior, { ...ROOF, sensors: [sensor('wind'), sensor('sun')] });
    expect(stationOf(plannedState)?.sensors).toMatchObject([{ serial: 's1' }, { serial: UNKNOWN }]);
  });

  it('knows an element of a set again by what is written of it', async () => {
    const prior = { ...ROOF, alarms: [1, 2].map((code) => ({ text: `t${code}`, code, pin: null })) };
    const alarms = ['t2', 't3'].map((text) => ({ text, code: null, pin: null }));
    const { plannedState } = await weather.plan(prior, { ...ROOF, alarms });
    expect(stationOf(plannedState)?.alarms).toEqual([
      { text: 't2', code: 2, pin: null },
      { text: 't3', code: UNKNOWN, pin: null },
    ]);
  });

  it('keeps a read-only attribute that `ignore_changes` names, and rejects another value of it', async () => {
    const prior = { ...ROOF, id: 1 };
    const ignored = await weather.plan(prior, { ...ROOF, place: 'Bruges', id: 1 });
    expect([summaries(ignored), stationOf(ignored.plannedState)]).toMatchObject([[], { id: 1, place: 'Bruges' }]);
    expect(summaries(await weather.plan(prior, { ...ROOF, id: 2 }))).toEqual(['`id` cannot be set: read-only']);
    expect(summaries(await weather.plan(null, { ...ROOF, id: 1 }))).toEqual(['`id` cannot be set: read-only']);
  });

  it('reports where another object is needed, in lists and maps too', async () => {
    const limits = (level: string) => new Map([['a', { level }]]);
    const prior = { ...ROOF, id: 1, limits: limits('low') };
    const { requiresReplace } = await weather.plan(prior, { ...ROOF, place: 'Bruges', limits: limits('high') });
    const step = (attributeName: string) => ({ attributeName, elementKeyString: undefined, elementKeyInt: undefined });
    const key = { attributeName: undefined, elementKeyString: 'a', elementKeyInt: undefined };
    expect(requiresReplace.map(({ steps }) => steps)).toEqual([[step('place')], [step('limits'), key, step('level')]]);
    expect((await weather.plan(prior, { ...ROOF, name: 'x', limits: limits('low') })).requiresReplace).toEqual([]);
  });

  it('passes on what is private, and the identity', async () => {
    const more = { priorPrivate: jsonBytes({ etag: 'e' }), priorIdentity: identityBytes(1) };
    for (const config of [ROOF, null]) {
      const answer = await weather.plan({ ...ROOF, id: 1 }, config, more);
      expect(Buffer.from(answer.plannedPrivate).toString()).toBe('{"etag":"e"}');
      expect(identityIn(answer.plannedIdentity)).toEqual({ id: 1, observer: null });
    }
  });

  it('of an end asks nobody', async () => {
    const answer = await weather.plan({ name: 'nowhere', place: 'x' }, null);
    expect([stationOf(answer.plannedState), answer.diagnostics]).toEqual([null, []]);
  });

  it('is refused at the attribute that is wrong', async () => {
    const { diagnostics } = await weather.plan(null, { ...ROOF, name: 'nowhere' });
    expect(diagnostics).toMatchObject([{ severity: 1, attribute: { steps: [{ attributeName: 'name' }] } }]);
  });
});

describe('a provider that is not configured yet', () => {
  it('bears a plan and a refresh, and refuses what needs the world', async () => {
    const early = await openWeather(UNKNOWN);
    const planned = await early.plan(null, ROOF);
    expect(stationOf(planned.plannedState)).toMatchObject(ROOF);
    expect(planned.diagnostics).toMatchObject([{ severity: 2, summary: 'Nobody can be asked' }]);
    const state = stationBytes({ ...ROOF, id: 1 });
    const unread = await early.ask(PROVIDER.readResource, { typeName, state, private: Buffer.from('{}') });
    expect(unread.diagnostics).toMatchObject([{ severity: 2, summary: expect.stringContaining('Not refreshed') }]);
    expect(stationOf(unread.newState)).toEqual(stationOf(state));
    expect(Buffer.from(unread.private).toString()).toBe('{}');
    const refusals = [
      await early.apply(null, ROOF, ROOF),
      await early.ask(PROVIDER.importResourceState, { typeName, id: '1' }),
    ];
    for (const answer of refusals) expect(summaries(answer)).toEqual(['The provider is not configured yet']);
    await early.close();
  });
});

describe('a create', () => {
  it('gives the object, what is private, and the identity; the provider sees what is write-only', async () => {
    const { answer, state } = await made({ ...ROOF, password: 'secret' });
    expect(state).toMatchObject({ ...ROOF, id: 1, password: null });
    expect([hidden(answer), weather.world.password]).toEqual(['{"etag":"e1"}', 'secret']);
    expect(identityIn(answer.newIdentity)).toEqual({ id: 1, observer: 'Ann' });
    expect(answer.diagnostics).toMatchObject([{ severity: 2, summary: 'It is made' }]);
  });

  it('that failed leaves nothing, and its warnings are reported', async () => {
    weather.world.trouble = 'create';
    const { answer, state } = await made();
    expect([state, hidden(answer), answer.newIdentity]).toEqual([null, '', undefined]);
    expect(summaries(answer)).toEqual(['It is made', 'create failed']);
  });

  it('that is half done leaves the object, with the error', async () => {
    weather.world.trouble = 'half';
    const { answer, state } = await made();
    expect(state?.id).toBe(1);
    expect(summaries(answer)).toEqual(['It is made', 'create failed']);
    expect(identityIn(answer.newIdentity)).toMatchObject({ id: 1 });
  });

  it('is not forgotten when the provider breaks afterwards', async () => {
    weather.world.trouble = 'nameless';
    const { answer, state } = await made();
    expect([state?.id, hidden(answer)]).toEqual([1, '{"etag":"e1"}']);
    expect(summaries(answer)).toContain('This is a bug in the provider');
  });

  it('of a type that there is not is refused, whatever JavaScript calls so', async () => {
    for (const strange of ['weather_moon', 'constructor']) {
      const answer = await weather.ask(PROVIDER.applyResourceChange, { typeName: strange });
      expect(summaries(answer)).toEqual([`There is no resource ${strange}`]);
    }
  });
});

describe('an object that there is', () => {
  const more = { plannedPrivate: jsonBytes({ etag: 'e1' }), plannedIdentity: identityBytes(1, 'Ann') };
  const change = async (config: Some | null) => {
    const { state } = await made();
    const answer = await weather.apply(state, config && { ...state, ...config }, config, more);
    return { state, answer, after: stationOf(answer.newState) };
  };

  it('is changed, with what was private', async () => {
    const { answer, after } = await change({ ...ROOF, name: 'tower' });
    expect(after).toMatchObject({ name: 'tower', id: 1 });
    expect(hidden(answer)).toBe('{"etag":"e1+"}');
    expect(answer.diagnostics).toMatchObject([{ severity: 2 }]);
    expect(identityIn(answer.newIdentity)).toEqual({ id: 1, observer: 'Ann' });
  });

  it.each(['update', 'half-update'] as const)('is known by its identity after a failed change: %s', async (trouble) => {
    weather.world.trouble = trouble;
    const { answer, state, after } = await change({ ...ROOF, name: 'tower' });
    expect(after).toEqual(trouble === 'update' ? state : { ...state, name: 'tower' });
    expect(hidden(answer)).toBe(trouble === 'update' ? '{"etag":"e1"}' : '{"etag":"e1+"}');
    expect(identityIn(answer.newIdentity)).toEqual({ id: 1, observer: 'Ann' });
    expect(summaries(answer)).toEqual(['update failed']);
  });

  it('is deleted, and then nothing is instance', async () => {
    const { answer, after } = await change(null);
    expect([after, hidden(answer), answer.newIdentity, answer.diagnostics]).toEqual([null, '', undefined, []]);
    expect(weather.world.stations.size).toBe(0);
  });

  it('keeps its state when it cannot be deleted', async () => {
    weather.world.trouble = 'delete';
    const { answer, state, after } = await change(null);
    expect([after, hidden(answer)]).toEqual([state, '{"etag":"e1"}']);
    expect(identityIn(answer.newIdentity)).toMatchObject({ id: 1 });
    expect(summaries(answer)).toEqual(['delete failed']);
  });

  it('that is as it was comes back with its numbers as text, in its refresh and in its plan', async () => {
    const { state } = await made();
    // Core sends whole numbers in binary. It would see a difference if they came back so.
    const sent = { msgpack: new Encoder().encode(state) };
    const raw = (answer: { readonly msgpack: Uint8Array } | undefined) => new Decoder().decode(answer?.msgpack ?? []);
    expect([state?.id, raw(sent)]).toEqual([1, state]);
    const { newState } = await weather.ask(PROVIDER.readResource, { typeName, state: sent });
    expect(raw(newState)).toEqual({ ...state, id: '1' });
    const { plannedState } = await weather.plan(null, { ...ROOF, unit: 'celsius' }, { priorState: sent });
    expect(raw(plannedState)).toEqual({ ...state, id: '1' });
    const { plannedState: other } = await weather.plan(null, { ...ROOF, place: 'Bruges' }, { priorState: sent });
    expect(stationOf(other)).toMatchObject({ place: 'Bruges' });
  });

  it('is read with its private part and its identity, until it is gone', async () => {
    const { state } = await made({ ...ROOF, password: 'p' });
    const request = { typeName, state: stationBytes(state) };
    const answer = await weather.ask(PROVIDER.readResource, request);
    expect([stationOf(answer.newState), hidden(answer)]).toEqual([state, '{"etag":"e1"}']);
    expect(identityIn(answer.newIdentity)).toEqual({ id: 1, observer: 'Ann' });
    weather.world.stations.clear();
    expect(stationOf((await weather.ask(PROVIDER.readResource, request)).newState)).toBeNull();
  });
});
