import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decodeValue, encodeValue } from '../../../src/terraform/codec/msgpack.ts';
import type { TerraformObject, TerraformValue, ValueType } from '../../../src/terraform/codec/value.ts';
import type { Draft } from '../../../src/terraform/protocol/message.ts';
import { type Method, PROVIDER, SERVICE_NAMES } from '../../../src/terraform/protocol/services.ts';
import { handlersOf } from '../../../src/terraform/provider/handlers.ts';
import { identityType, type Schema, typeOf } from '../../../src/terraform/provider/schema.ts';
import { listen } from '../../../src/terraform/serve/grpc.ts';
import { openPluginClient } from '../plugin-client.ts';
import { type World, weatherProvider } from './weather.ts';

export const typeName = 'weather_station';
const station = weatherProvider({ stations: new Map(), looked: 0 }).resources.weather_station;
if (station === undefined) throw new Error('no station');
const STATION = station.schema;
const IDENTITY = identityType(station.identity);

type Bytes = { readonly msgpack: Uint8Array } | undefined;
type Some = Readonly<Record<string, TerraformValue>>;

export const bytes = (value: TerraformValue, type: ValueType) => ({ msgpack: encodeValue(value, type) });
export const whole = ({ attributes }: Pick<Schema, 'attributes'>, given: Some): TerraformObject =>
  Object.fromEntries(Object.keys(attributes).map((name) => [name, given[name] ?? null]));

/** A station as core sends it: null is none. */
export const stationBytes = (given: Some | null) => bytes(given && whole(STATION, given), typeOf(STATION));
export const stationOf = (answer: Bytes): TerraformObject | null =>
  answer === undefined ? null : (decodeValue(answer.msgpack, typeOf(STATION)) as TerraformObject | null);
export const identityBytes = (id: number, observer: string | null = null) => ({
  identityData: bytes({ id, observer }, IDENTITY),
});
export const identityIn = (answer: { readonly identityData: Bytes } | undefined) =>
  answer?.identityData && decodeValue(answer.identityData.msgpack, IDENTITY);
export const jsonBytes = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));

/** A station as core stores it. */
export const stationJson = (given: Some) => jsonBytes(whole(STATION, given));

/** The provider of weather behind its server, and a core that asks it. */
export async function openWeather(observer: TerraformValue | undefined = 'Ann') {
  const world: World = { stations: new Map(), looked: 0 };
  const defects: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'kp-'));
  const stop = new AbortController();
  const provider = weatherProvider(world);
  const listening = await listen({
    socket: join(folder, 's'),
    services: [{ service: SERVICE_NAMES.provider, methods: PROVIDER, handlers: handlersOf(provider, stop) }],
    stop: stop.signal,
    onDefect: (call, thrown) => defects.push(`${call}: ${thrown}`),
  });
  const client = openPluginClient(join(folder, 's'));
  const ask = <Q extends object, A extends object>(method: Method<Q, A>, request: Draft<Q>) =>
    client.ask('provider', method, request);
  if (observer !== undefined) {
    await ask(PROVIDER.configureProvider, { config: bytes({ observer }, typeOf(provider.schema)) });
  }
  return {
    world,
    defects,
    provider,
    ask,
    stream: <Q extends object, A extends object>(method: Method<Q, A>, request: Draft<Q>) =>
      client.stream('provider', method, request),
    plan: (prior: Some | null, config: Some | null, more = {}) =>
      ask(PROVIDER.planResourceChange, {
        typeName,
        priorState: stationBytes(prior),
        proposedNewState: stationBytes(config),
        config: stationBytes(config),
        ...more,
      }),
    apply: (prior: Some | null, planned: Some | null, config: Some | null, more = {}) =>
      ask(PROVIDER.applyResourceChange, {
        typeName,
        priorState: stationBytes(prior),
        plannedState: stationBytes(planned),
        config: stationBytes(config),
        ...more,
      }),
    async close() {
      client.close();
      listening.close();
      await rm(folder, { recursive: true });
    },
  };
}

export type Weather = Awaited<ReturnType<typeof openWeather>>;
