import { describe, expect, it } from 'vitest';
import { Fault } from '../../../src/domain/index.ts';
import { decodeValue, encodeValue } from '../../../src/terraform/codec/msgpack.ts';
import { type TerraformValue, UNKNOWN, type ValueType } from '../../../src/terraform/codec/value.ts';
import { handlersOf } from '../../../src/terraform/provider/handlers.ts';
import { typeOf } from '../../../src/terraform/provider/schema.ts';
import { attribute, weatherProvider } from './weather.ts';

const WEATHER = weatherProvider(
  { stations: new Map(), looked: 0 },
  {
    dataSources: {
      weather_now: {
        schema: {
          version: 3,
          description: 'Now.',
          attributes: {
            hour: attribute('number', 'required', { isSensitive: true }),
            sky: attribute('string', 'computed'),
          },
        },
        async read({ hour = null }, { client, warn }) {
          if (hour === 25)
            throw new Fault('gateway.unreachable', 'No connection.', { hint: 'Look out of the window.' });
          if (hour === 24) throw new TypeError('it broke');
          if (hour === 23) warn({ summary: 'It is dark', path: ['hour'] });
          return { hour, sky: `clear for ${client}` };
        },
      },
    },
  },
);

const NOW = WEATHER.dataSources.weather_now;
const SIGNAL = { signal: new AbortController().signal };
const bytes = (value: TerraformValue, type: ValueType) => ({
  msgpack: encodeValue(value, type),
  json: new Uint8Array(),
});

function open() {
  const stop = new AbortController();
  const answers = handlersOf(WEATHER, stop);
  const configure = async (observer: TerraformValue) => {
    const config = bytes({ observer }, typeOf(WEATHER.schema));
    const request = { terraformVersion: '1.11.4', config, clientCapabilities: undefined };
    return (await answers.configureProvider?.(request, SIGNAL))?.diagnostics;
  };
  const read = async (hour: TerraformValue, typeName = 'weather_now', deferralAllowed = false) => {
    const type = typeOf((NOW as NonNullable<typeof NOW>).schema);
    const config = bytes({ hour, sky: null }, type);
    const answer = await answers.readDataSource?.(
      { typeName, config, clientCapabilities: { deferralAllowed, writeOnlyAttributesAllowed: true } },
      SIGNAL,
    );
    const state = answer?.state?.msgpack;
    return { diagnostics: answer?.diagnostics, deferred: answer?.deferred, state: state && decodeValue(state, type) };
  };
  return { answers, stop, configure, read };
}

describe('a provider behind the calls of the protocol', () => {
  it('returns its schema', async () => {
    const { answers } = open();
    const schema = await answers.getProviderSchema?.({}, SIGNAL);
    const block = schema?.dataSourceSchemas?.get('weather_now')?.block;
    expect(block?.version).toBe(3);
    expect(block?.attributes).toMatchObject([
      { name: 'hour', required: true, optional: false, computed: false, sensitive: true, descriptionKind: 1 },
      { name: 'sky', required: false, optional: false, computed: true, sensitive: false },
    ]);
    expect(Buffer.from(block?.attributes?.[0]?.type ?? []).toString()).toBe('"number"');
    expect([...(schema?.functions?.keys() ?? [])]).toEqual(['warm']);
    const metadata = await answers.getMetadata?.({}, SIGNAL);
    expect(metadata?.dataSources).toEqual([{ typeName: 'weather_now' }]);
  });

  it('reads what is asked, with what it was configured with', async () => {
    const { configure, read } = open();
    expect(await configure('Ghent')).toEqual([]);
    expect(await read(12)).toEqual({ diagnostics: [], state: { hour: 12, sky: 'clear for Ghent' } });
  });

  it('reports warnings at their fields', async () => {
    const { configure, read } = open();
    await configure('Ghent');
    const { diagnostics, state } = await read(23);
    expect(diagnostics).toEqual([
      { severity: 2, summary: 'It is dark', attribute: { steps: [{ attributeName: 'hour' }] } },
    ]);
    expect(state).toBeDefined();
  });

  it('reports failures as diagnostics, and never as a transport error', async () => {
    const { configure, read } = open();
    expect(await configure(null)).toMatchObject([
      { severity: 1, attribute: { steps: [{ attributeName: 'observer' }] } },
    ]);
    await configure('Ghent');
    expect((await read(25)).diagnostics).toEqual([
      { severity: 1, summary: 'No connection.', detail: 'Look out of the window.\n\nCode: gateway.unreachable' },
    ]);
    expect((await read(24)).diagnostics).toMatchObject([
      { summary: 'This is a bug in the provider', detail: 'it broke' },
    ]);
    expect((await read(1, 'weather_then')).diagnostics).toMatchObject([
      { summary: 'There is no data source weather_then' },
    ]);
  });

  it('bears a configuration that is known only after an apply, until something is asked of it', async () => {
    const { configure, read } = open();
    expect(await configure(UNKNOWN)).toEqual([]);
    expect((await read(12)).diagnostics).toMatchObject([
      { summary: 'The provider is not configured yet', detail: expect.stringContaining('Add `depends_on`') },
    ]);
    const deferred = await read(12, 'weather_now', true);
    expect(deferred).toMatchObject({ diagnostics: [], deferred: { reason: 2 }, state: { hour: 12, sky: UNKNOWN } });
  });

  it('calls functions, and reports which argument is wrong', async () => {
    const { answers } = open();
    const call = async (name: string, value: TerraformValue) =>
      answers.callFunction?.({ name, arguments: [bytes(value, 'number')] }, SIGNAL);
    expect(decodeValue((await call('warm', 25))?.result?.msgpack ?? new Uint8Array(), 'bool')).toBe(true);
    expect((await call('warm', null))?.error).toEqual({ text: 'not a number of degrees', functionArgument: 0 });
    expect((await call('cold', 5))?.error?.text).toContain('no function cold');
    expect((await call('constructor', 5))?.error?.text).toContain('no function constructor');
  });

  it('lets all end when core wants it', async () => {
    const { answers, stop } = open();
    await answers.stopProvider?.({}, SIGNAL);
    expect(stop.signal.aborted).toBe(true);
  });
});
