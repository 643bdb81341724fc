import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  type GatewayProfile,
  parseGatewayProfile,
  recognizeKind,
  SHIPPED_PROFILES,
  unkeptBy,
} from '../../src/wire/index.ts';

describe('the profiles that come with Keyplane', () => {
  it.each([
    ['deployed', '0.13.2'],
    ['deployed@1.0', '1.0.0-rc.24'],
  ] as const)('%s is that of new-api %s as it was measured', (name, version) => {
    const file = `docs/conformance/new-api-${version}.json`;
    expect(SHIPPED_PROFILES[name]).toEqual(parseGatewayProfile(readFileSync(file, 'utf8'), file));
  });
});

const BOTH = 'smart_routing, smart_route_tiers';

it.each<[string, GatewayProfile['observed'], readonly string[], readonly string[]]>([
  ['records lack', { 'keys.record.missing-fields': BOTH }, ['smartRouting', 'smartRouteTiers'], []],
  [
    'records lack, also where it is kept in the group auto elsewhere',
    { 'keys.record.missing-fields': 'cross_group_retry', 'keys.keeps.cross_group_retry': 'dropped' },
    ['crossGroupRetry'],
    [],
  ],
  ['a gateway drops', { 'keys.keeps.smart_route_tiers': 'dropped' }, ['smartRouteTiers'], []],
  ['a gateway drops outside of the group auto', { 'keys.keeps.cross_group_retry': 'dropped' }, [], ['crossGroupRetry']],
  [
    'nothing, where it was seen to be kept',
    { 'keys.record.missing-fields': BOTH, 'keys.keeps.smart_routing': 'kept', 'keys.keeps.smart_route_tiers': 'kept' },
    [],
    [],
  ],
  [
    'nothing that restricts a key',
    { 'keys.record.missing-fields': 'allow_ips', 'keys.keeps.allow_ips': 'dropped' },
    [],
    [],
  ],
  ['nothing, where nothing is stated', {}, [], []],
])('a profile states the settings that %s', (_, observed, everywhere, outsideAuto) => {
  expect(unkeptBy({ version: 1, level: 'write', observed })).toEqual({ everywhere, outsideAuto });
});

describe('the kind of a gateway', () => {
  const version = 'v0.6.10';
  it.each<[unknown, string | undefined, string | undefined]>([
    [{ version: 'v0.13.2', quota_display_type: 'USD' }, undefined, 'new-api v0.13.2 deployed'],
    [{ version: '1.0.0-rc.24', quota_display_type: 'USD' }, undefined, 'new-api 1.0.0-rc.24 deployed@1.0'],
    [{ version: 'v0.8.9', setup: true }, undefined, 'new-api v0.8.9 deployed'],
    [{ version: 'v0.8.1', setup: true }, undefined, 'new-api v0.8.1 deployed'],
    [{ version: 'v0.8.1', setup: true }, 'new_api_error', 'new-api v0.8.1 deployed'],
    [{ version: 'v0.3.25', setup: true, check_in_enabled: false }, undefined, 'Veloera v0.3.25'],
    [{ version, chat_link: '', display_in_currency: true }, undefined, 'one-api v0.6.10'],
    [{ version, chat_link: '', display_in_currency: true, PaymentUSDRate: 7 }, undefined, 'one-hub v0.6.10'],
    [{ version: 'a name\nwith lines', quota_display_type: 'USD' }, undefined, 'new-api deployed'],
    [{ version, chat_link: '', display_in_currency: true }, 'new_api_error', 'new-api v0.6.10 deployed'],
    [undefined, 'one_hub_error', 'one-hub'],
    [undefined, 'invalid_request_error', 'a gateway of the contract contract'],
    [{ quota_per_unit: 1 }, 'another_error', undefined],
    [{ system_name: 'One API', version }, undefined, undefined],
    [null, undefined, undefined],
  ])('%j with errors of type %s', (status, type, expected) => {
    const kind = recognizeKind(status, type);
    expect(kind && [kind.title, kind.profile].filter((part) => part !== undefined).join(' ')).toBe(expected);
  });
});
