import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type TerraformValue, UNKNOWN } from '../../../src/terraform/codec/value.ts';
import { PROVIDER } from '../../../src/terraform/protocol/services.ts';
import { openWeather, stationBytes, typeName, type Weather } from './weather-core.ts';

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
    ['name', { name: 'wet' }],
    ['tags/1', { tags: ['dry', 'wet'] }],
    ['sensors/1/kind', { sensors: [sensor('wind'), sensor('wet')] }],
    ['limits/a/b/level', { limits: new Map([['a/b', { level: 'wet' }]]) }],
    ['roof/colour', { roof: { colour: 'wet' } }],
    // Core knows no path into a set.
    ['alarms', { alarms: [{ text: 'wet', code: null, pin: null }] }],
  ])('is judged at its place: %s', async (path, wrong) => {
    expect(await judged({ ...GOOD, ...wrong })).toEqual([`${path}: It is wet`]);
  });

  it('is reported all together', async () => {
    expect(await judged({ ...GOOD, name: 'wet', roof: { colour: 'wet' } })).toHaveLength(2);
  });

  it('is not judged where it is not known yet, nor where there is nothing', async () => {
    const open = { name: UNKNOWN, sensors: UNKNOWN, roof: { colour: UNKNOWN }, limits: null };
    expect(await judged({ ...GOOD, ...open })).toEqual([]);
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
      'sensors/0/pin: pin cannot be set',
      'alarms: alarms cannot be set',
    ]);
    expect(await judged({ ...GOOD, sensors: [sensor('wind')] }, false)).toEqual([]);
  });

  it('is taken from a core that does not', async () => {
    expect(await judged(given)).toEqual([]);
  });
});
