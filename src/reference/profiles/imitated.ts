import { AUTO_GROUPS, type GatewayProfile } from '../../wire/index.ts';
import * as rules from '../keys/rules.ts';
import type { StoredSettings } from '../keys/settings.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { CONTRACT } from './contract.ts';
import { DEPLOYED, DEPLOYED_1_0 } from './deployed.ts';
import type { Profile } from './profile.ts';

/** A profile that behaves like an observed gateway, and what it cannot imitate: `id: value`. */
export interface Imitation {
  readonly profile: Profile;
  readonly unplayed: readonly string[];
}

/** Changes a profile so that it shows an observed value. */
type Adjustment = (profile: Profile) => Partial<Profile>;

const always =
  (part: Partial<Profile>): Adjustment =>
  () =>
    part;

/** Replaces one rule by another; undefined: by none. */
const ruled =
  (replaced: readonly rules.SettingRule[], by?: rules.SettingRule): Adjustment =>
  (profile) => ({ rules: [...profile.rules.filter((rule) => !replaced.includes(rule)), ...(by ? [by] : [])] });

const NAMES = [rules.nameInBytes, rules.nameInCharacters];

const recorded =
  (
    change: (record: Readonly<Record<string, unknown>>, key: StoredKey) => Readonly<Record<string, unknown>>,
  ): Adjustment =>
  ({ record, updatedData }) => ({
    record: (key) => change(record(key), key),
    updatedData: (key) => (updatedData(key) === undefined ? undefined : change(record(key), key)),
  });

const showing = (secret: (key: StoredKey) => unknown): Adjustment =>
  recorded((record, key) => ({ ...record, key: secret(key) }));

const dropping =
  (field: keyof StoredSettings): Adjustment =>
  ({ droppedSettings }) => ({ droppedSettings: [...droppedSettings, field] });

const keeping =
  (field: keyof StoredSettings): Adjustment =>
  ({ droppedSettings }) => ({ droppedSettings: droppedSettings.filter((dropped) => dropped !== field) });

/** Drops cross-group retry; a gateway where it belongs to the group `auto` already drops it outside of that group. */
const droppingOutsideAuto: Adjustment = (profile) =>
  AUTO_GROUPS in profile.extraFields ? {} : dropping('cross_group_retry')(profile);

const kept = (field: keyof StoredSettings) => ({ kept: keeping(field), dropped: dropping(field) });

const limited =
  (outOfBounds: Profile['keyPaging']['outOfBounds']): Adjustment =>
  ({ keyPaging }) => ({
    keyPaging: { ...keyPaging, outOfBounds },
  });

const invalidToken =
  (status: 200 | 401): Adjustment =>
  ({ tokenRefusals }) => ({
    tokenRefusals: { ...tokenRefusals, invalidToken: { ...tokenRefusals.invalidToken, status } },
  });

const counted =
  (exists: boolean): Adjustment =>
  ({ missingEndpoints }) => ({
    missingEndpoints: [
      ...missingEndpoints.filter((name) => name !== 'countTokens'),
      ...(exists ? [] : ['countTokens' as const]),
    ],
  });

/** The values that are behaviour which this gateway can change, by the ID of their question. */
const PLAYED: Readonly<Record<string, Readonly<Record<string, Adjustment>>>> = {
  'credentials.user-header': { yes: always({ userHeader: 'required' }), no: always({ userHeader: 'ignored' }) },
  'credentials.wrong-token': { '401': invalidToken(401), '200 success: false': invalidToken(200) },
  'keys.list.total': {
    'data.total': always({ keyPage: DEPLOYED.keyPage }),
    none: always({ keyPage: CONTRACT.keyPage }),
  },
  'keys.list.largest-page': { refused: limited('refuse'), limited: limited('clamp') },
  'keys.list.order': { 'oldest first': always({ keyOrder: 'ASC' }), 'newest first': always({ keyOrder: 'DESC' }) },
  'keys.record.secret': {
    masked: showing((key) => CONTRACT.record(key).key),
    'masked in the middle': showing((key) => DEPLOYED.record(key).key),
    clear: showing(({ key }) => key),
  },
  'groups.form': {
    names: always({ groupsData: CONTRACT.groupsData }),
    map: always({ groupsData: DEPLOYED.groupsData }),
  },
  'keys.create.expiry-zero': { '0': always({ zeroIsNever: false }), '-1': always({ zeroIsNever: true }) },
  'keys.name.limit': {
    '50 characters': ruled(NAMES, rules.nameInCharacters),
    '50 bytes': ruled(NAMES, rules.nameInBytes),
    more: ruled(NAMES),
  },
  'keys.group.validated': {
    yes: ruled([rules.groupIsAvailable], rules.groupIsAvailable),
    no: ruled([rules.groupIsAvailable]),
  },
  'keys.addresses.validated': {
    yes: ruled([rules.addressesAreValid], rules.addressesAreValid),
    no: ruled([rules.addressesAreValid]),
  },
  'keys.keeps.cross_group_retry': { ...kept('cross_group_retry'), dropped: droppingOutsideAuto },
  'keys.keeps.smart_routing': kept('smart_routing'),
  'keys.keeps.smart_route_tiers': kept('smart_route_tiers'),
  'keys.status-only.values': {
    'those of the contract': always({ statusWrites: 'listed' }),
    any: always({ statusWrites: 'any' }),
  },
  'keys.reveal.batch': {
    list: always({ revealedKeys: CONTRACT.revealedKeys }),
    map: always({ revealedKeys: DEPLOYED.revealedKeys }),
  },
  'keys.search.matches': {
    part: always({ keywordMatches: CONTRACT.keywordMatches }),
    whole: always({ keywordMatches: DEPLOYED.keywordMatches }),
  },
  'prices.public': { yes: always({ showsPrices: true }), no: always({ showsPrices: false }) },
  'inference.count-tokens': { '200': counted(true), '404': counted(false) },
};

/** Values of another kind than one of a few: a list of fields, a word. */
const lacking = (fields: string): Adjustment => {
  const missing = new Set(fields === 'none' ? [] : fields.split(', '));
  return recorded((record) => Object.fromEntries(Object.entries(record).filter(([field]) => !missing.has(field))));
};

const typed =
  (type: string): Adjustment =>
  ({ inferenceError }) => ({
    inferenceError: (...problem) => ({ ...inferenceError(...problem), type }),
  });

const OPEN: Readonly<Record<string, (value: string) => Adjustment>> = {
  'keys.record.missing-fields': lacking,
  'inference.error-type': typed,
};

/** Observations that every built-in profile shows, and that cannot be changed. */
const FIXED: Readonly<Record<string, string>> = {
  'status.quota-per-unit': 'yes',
  'credentials.no-token': '401',
  'keys.list.place': 'data.items',
  'keys.list.first-page': '1',
  'keys.list.page-size': 'yes',
  'log.place': 'data.items',
  'inference.unknown-key': '401',
  'keys.create.answer': 'no',
  'keys.create.status': 'no',
  'keys.name.duplicates': 'yes',
  'keys.update.omitted': 'no',
  'keys.update.status': 'no',
  'keys.reveal': 'yes',
  'keys.delete.batch': 'yes',
  'inference.works': '200',
  'inference.model-not-allowed': '403',
  'inference.address-not-allowed': '403 access_denied',
  'inference.exhausted-key': '401',
  'inference.address-header': 'yes',
  'inference.models-of-key': 'yes',
  'log.entry.missing-fields': 'none',
};

/** Further observations of the one and the other. */
const OWN: Readonly<Record<'contract' | 'deployed', Readonly<Record<string, string>>>> = {
  contract: { 'keys.without-slash': '404', 'inference.charge': 'remaining only' },
  deployed: { 'keys.without-slash': 'list', 'inference.charge': 'both' },
};

const adjustmentOf = (id: string, value: string): Adjustment | undefined => {
  const values = PLAYED[id];
  if (values) return Object.hasOwn(values, value) ? values[value] : undefined;
  return OPEN[id]?.(value);
};

/** The observations by which version 1.0 of the deployed gateways differs from those before it. */
const SINCE_1_0: GatewayProfile['observed'] = {
  'credentials.user-header': 'no',
  'credentials.wrong-token': '401',
  'keys.keeps.cross_group_retry': 'dropped',
};

/** The built-in profile that is closest: by the type of its errors, and by what version 1.0 changed. */
function baseFor(observed: GatewayProfile['observed']): Profile {
  if (observed['inference.error-type'] === 'invalid_request_error') return CONTRACT;
  const isSince = Object.entries(SINCE_1_0).every(([id, value]) => observed[id] === value);
  return isSince ? DEPLOYED_1_0 : DEPLOYED;
}

/**
 * Makes a profile that imitates an observed gateway. It begins with the closest built-in profile: the file does not hold
 * messages, limits and the shapes of answers that no question is about.
 */
export function imitate({ observed }: GatewayProfile): Imitation {
  let profile = baseFor(observed);
  const shown = { ...FIXED, ...OWN[profile === CONTRACT ? 'contract' : 'deployed'] };
  const unplayed: string[] = [];
  for (const [id, value] of Object.entries(observed)) {
    const adjust = adjustmentOf(id, value);
    if (adjust) profile = { ...profile, ...adjust(profile) };
    else if (shown[id] !== value) unplayed.push(`${id}: ${value}`);
  }
  return { profile, unplayed };
}
