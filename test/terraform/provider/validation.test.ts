import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TerraformValue, UNKNOWN, type ValueType } from '../../../src/terraform/codec/value.ts';
import type { PathStep } from '../../../src/terraform/codec/value-error.ts';
import { PROVIDER } from '../../../src/terraform/protocol/services.ts';
import { nullElements } from '../../../src/terraform/provider/nulls.ts';
import { bytes, openWeather, stationBytes, stationOf, typeName, type Weather } from './weather-core.ts';

let weather: Weather;
beforeEach(async () => {
  weather = await openWeather(undefined);
});
afterEach(() => weather.close());

const GOOD = { name: 'roof', place: 'Ghent' };

async function judged(config: Readonly<Record<string, TerraformValue>>, writeOnlyAttributesAllowed = true) {
  const request = { typeName, config: stationBytes(config), clientCapabilities: { writeOnlyAttributesAllowed } };
  const { diagnostics } = await weather.ask(PROVIDER.validateResourceConfig, request);
  return diagnostics.map(({ attribute, summary }) => {
    const steps = attribute?.steps.map((step) => step.attributeName ?? step.elementKeyString ?? step.elementKeyInt);
    return `${steps?.join('/')}: ${summary}`;
  });
}

const sensor = (kind: TerraformValue, pin: TerraformValue = null) => ({ kind, offset: null, serial: null, pin });

describe('what people write', () => {
  it.each<[string, Readonly<Record<string, TerraformValue>>]>([
    ['name: It is wet', { name: 'wet' }],
    ['tags/1: It is wet', { tags: ['dry', 'wet'] }],
    // Core shows the line of an attribute of the block, and of an element of it.
    ['sensors/1: `sensors[1].kind`: It is wet', { sensors: [sensor('wind'), sensor('wet')] }],
    ['limits/a/b: `limits["a/b"].level`: It is wet', { limits: new Map([['a/b', { level: 'wet' }]]) }],
    ['roof: `roof.colour`: It is wet', { roof: { colour: 'wet' } }],
    // Core knows no path into a set.
    ['alarms: `alarms.text`: It is wet', { alarms: [{ text: 'wet', code: null, pin: null }] }],
  ])('is judged at its place: %s', async (expected, wrong) => {
    expect(await judged({ ...GOOD, ...wrong })).toEqual([expected]);
  });

  it('is reported all together', async () => {
    expect(await judged({ ...GOOD, name: 'wet', roof: { colour: 'wet' } })).toHaveLength(2);
  });

  it('is not judged where it is not known yet, nor where there is nothing', async () => {
    const open = { name: UNKNOWN, sensors: UNKNOWN, roof: { colour: UNKNOWN }, limits: null };
    expect(await judged({ ...GOOD, ...open })).toEqual([]);
  });
});

const alarm = { text: 'hot', code: null, pin: null };

describe('a read-only attribute', () => {
  it.each<[string, Readonly<Record<string, TerraformValue>>]>([
    ['id: `id`', { id: 1 }],
    ['id: `id`', { id: UNKNOWN }],
    ['sensors/1: `sensors[1].serial`', { sensors: [sensor('wind'), { ...sensor('rain'), serial: 's' }] }],
    ['alarms: `alarms.code`', { alarms: [{ ...alarm, code: 7 }] }],
  ])('is rejected when it is set: %s', async (beginning, written) => {
    expect(await judged({ ...GOOD, ...written })).toEqual([`${beginning} cannot be set: read-only`]);
  });
});

describe('null', () => {
  it.each<[string, Readonly<Record<string, TerraformValue>>]>([
    ['name: `name` must not be null', { name: null }],
    ['sensors/1: `sensors[1].kind` must not be null', { sensors: [sensor('wind'), sensor(null)] }],
    ['limits/a: `limits["a"].level` must not be null', { limits: new Map([['a', { level: null }]]) }],
    ['roof: `roof.colour` must not be null', { roof: { colour: null } }],
    ['alarms: `alarms.text` must not be null', { alarms: [{ ...alarm, text: null }] }],
    ['tags/1: `tags` must not contain null', { tags: ['dry', null] }],
    ['sensors/0: `sensors` must not contain null', { sensors: [null] }],
    ['limits/a: `limits` must not contain null', { limits: new Map([['a', null]]) }],
    ['alarms: `alarms` must not contain null', { alarms: [null, alarm] }],
  ])('is rejected where a value is required: %s', async (expected, written) => {
    expect(await judged({ ...GOOD, ...written })).toEqual([expected]);
  });

  it('is reported without the errors that follow from it', async () => {
    expect(await judged({ ...GOOD, tags: [null, 'wet'] })).toEqual(['tags/0: `tags` must not contain null']);
  });

  const wrong = { ...GOOD, name: null };
  const noName = [expect.objectContaining({ summary: '`name` must not be null' })];

  it('is rejected again by a plan and an apply, where it may be known for the first time', async () => {
    await weather.ask(PROVIDER.configureProvider, {
      config: bytes({ observer: 'Ann' }, ['object', { observer: 'string' }]),
    });
    expect((await weather.plan(null, wrong)).diagnostics).toEqual(noName);
    const applied = await weather.apply(null, { ...GOOD, id: UNKNOWN }, wrong);
    expect(applied.diagnostics).toEqual(noName);
    expect([stationOf(applied.newState), weather.world.stations.size]).toEqual([null, 0]);
  });
});

describe('null deep in a type', () => {
  it.each<[readonly (readonly PathStep[])[], ValueType, TerraformValue]>([
    [[[1]], ['list', 'string'], ['a', null]],
    [[[]], ['set', 'string'], [null, null]],
    [[[{ key: 'k' }]], ['map', 'bool'], new Map([['k', null]])],
    [[[0, 1]], ['list', ['list', 'number']], [[1, null], []]],
    [[['in', 0]], ['object', { in: ['list', 'string'], by: 'string' }], { in: [null], by: null }],
    [[], ['tuple', ['string', 'bool']], [null, true]],
    [[[1, 0]], ['tuple', ['string', ['list', 'bool']]], [null, [null]]],
    [[[]], ['set', ['object', { in: ['list', 'string'] }]], [{ in: [null] }]],
    [[], ['list', 'string'], UNKNOWN],
    [[], ['list', 'string'], [UNKNOWN]],
    [[], 'dynamic', null],
  ])('is found at %j in %j', (steps, type, value) => {
    expect(nullElements(value, type)).toEqual(steps);
  });
});

describe('what is write-only', () => {
  const given = {
    ...GOOD,
    password: 'p',
    sensors: [sensor('wind', '1')],
    alarms: [{ text: 'hot', code: null, pin: UNKNOWN }],
  };

  it('is rejected, at any depth, for a core that would store it', async () => {
    expect(await judged(given, false)).toEqual([
      'password: password cannot be set',
      'sensors/0: pin cannot be set',
      'alarms: alarms cannot be set',
    ]);
    expect(await judged({ ...GOOD, sensors: [sensor('wind')] }, false)).toEqual([]);
  });

  it('is taken from a core that does not', async () => {
    expect(await judged(given)).toEqual([]);
  });
});
