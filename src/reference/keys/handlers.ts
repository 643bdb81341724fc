import * as z from 'zod';
import { KEY_STATUS, NEVER_EXPIRES, SYSTEM_LIMITS } from '../../wire/index.ts';
import { groupsOf } from '../catalog.ts';
import { type GatewayContext, refuse } from '../context.ts';
import { Int64 } from '../int64.ts';
import { propertiesOf } from '../json-object.ts';
import type { StoredAccount } from '../ledger/accounts.ts';
import type { StoredKey } from '../ledger/keys.ts';
import type { Messages } from '../profiles/messages.ts';
import { randomText, SECRET_LENGTH } from '../random.ts';
import { type Answer, successAnswer } from '../server/answer.ts';
import type { AuthenticatedRequest, Handler } from '../system/request.ts';
import { settleAutoGroups } from './auto-groups.ts';
import type { SettingsWrite } from './rules.ts';
import { extraFrom, holdsNul, type StoredSettings, tryReadSettings, ZERO_VALUES } from './settings.ts';

/** Null means the zero value, as in every gateway of this family. */
const NullableInt = Int64.nullable().transform((value) => value ?? 0);
const Ids = z.looseObject({ ids: z.array(NullableInt) });
const StatusChange = z.looseObject({ id: z.int().positive(), status: NullableInt.optional() });
const Identified = z.looseObject({ id: z.int().positive() });

/** Reads the `{id}` of a path; undefined if it is not an ID. */
const tryReadId = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

/** Reads the body `{ids}`. */
const tryReadIds = (body: unknown): readonly Int64[] | undefined => Ids.safeParse(body).data?.ids;

/** Reads the body `{id, status}`. */
const tryReadStatusChange = (body: unknown): { id: number; status?: Int64 | undefined } | undefined =>
  StatusChange.safeParse(body).data;

/** Reads the `id` of a full update. */
const tryReadBodyId = (body: unknown): number | undefined => Identified.safeParse(body).data?.id;

/** Finds the first of the profile's rules that a write of settings breaks. */
function findBrokenRule(
  context: GatewayContext,
  account: StoredAccount,
  write: Omit<SettingsWrite, 'groups' | 'quotaPerUnit'>,
): keyof Messages | undefined {
  const { quotaPerUnit } = context.catalog;
  const judged: SettingsWrite = { ...write, quotaPerUnit, groups: groupsOf(context.catalog, account) };
  return context.profile.rules.find((rule) => rule.isBroken(judged))?.message;
}

/** Reads the settings that the gateway knows; undefined for a body that it does not accept. */
function tryReadGiven({ profile }: GatewayContext, body: unknown): Partial<StoredSettings> | undefined {
  const given = tryReadSettings(body);
  if (given === undefined || (!profile.readsAnyBody && holdsNul(given))) return undefined;
  if (profile.hasSmartRouting) return given;
  const { smart_routing: _, smart_route_tiers: __, ...known } = given;
  return known;
}

/** Finds the key in the path. For an account, the keys of others do not exist. */
function tryFindOwn(context: GatewayContext, request: AuthenticatedRequest): StoredKey | undefined {
  const id = tryReadId(request.id);
  return id === undefined ? undefined : context.ledger.keys.tryFind(request.account.user_id, id);
}

/** The settings as this gateway stores them: some gateways accept a setting and do not keep it. */
const withoutDropped = ({ profile }: GatewayContext, settings: StoredSettings): StoredSettings => ({
  ...settings,
  ...Object.fromEntries(profile.droppedSettings.map((field) => [field, ZERO_VALUES[field]])),
});

/** `POST /api/token/`: creates an enabled key. The answer does not include its ID. */
export const createKey: Handler = (context, { account, body }) => {
  const given = tryReadGiven(context, body);
  if (given === undefined) return refuse(context, 'unreadableBody');
  const { createDefaults, zeroIsNever } = context.profile;
  const expiry = zeroIsNever && given.expired_time === 0 ? { expired_time: NEVER_EXPIRES } : {};
  const settings = withoutDropped(context, { ...createDefaults, ...given, ...expiry });
  const broken = findBrokenRule(context, account, { settings });
  if (broken) return refuse(context, broken);
  const now = context.clock.now();
  const most = context.profile.limits.keysPerUser;
  return context.ledger.transact(() => {
    const { keys } = context.ledger;
    if (typeof most === 'number' && keys.count(account.user_id, []) >= most) return refuse(context, 'tooManyKeys');
    const groups = groupsOf(context.catalog, account);
    const extra = extraFrom(body, context.catalog.extraFields);
    const write = settleAutoGroups({ ...settings, extra }, { body, stored: undefined, groups });
    if (typeof write === 'string') return refuse(context, write);
    keys.insert({
      ...write,
      user_id: account.user_id,
      key: randomText(context.random, SECRET_LENGTH),
      status: KEY_STATUS.enabled,
      used_quota: 0,
      created_time: now,
      accessed_time: now,
    });
    return successAnswer();
  });
};

/** `GET /api/token/{id}`: the record, masked. */
export const readKey: Handler = (context, request) => {
  const key = tryFindOwn(context, request);
  return key ? successAnswer(context.profile.record(key)) : refuse(context, 'notFound');
};

const secretAnswer = ({ profile }: GatewayContext, data: unknown): Answer => ({
  ...successAnswer(data),
  headers: profile.secretHeaders,
});

/** `POST /api/token/{id}/key`: the stored value, without `sk-`. */
export const revealKey: Handler = (context, request) => {
  const key = tryFindOwn(context, request);
  return key ? secretAnswer(context, { key: key.key }) : refuse(context, 'notFound');
};

const lacksIds = ({ profile }: GatewayContext, ids: readonly Int64[]): boolean =>
  profile.refusesNoIds && ids.length === 0;

/** `POST /api/token/batch/keys`: up to 100 stored values, without the IDs that do not exist. */
export const revealKeys: Handler = (context, { account, body }) => {
  const ids = tryReadIds(body);
  if (ids === undefined || lacksIds(context, ids)) return refuse(context, 'unreadableBody');
  if (ids.length > SYSTEM_LIMITS.revealBatch) return refuse(context, 'tooManyIds');
  return secretAnswer(context, context.profile.revealedKeys(context.ledger.keys.some(account.user_id, ids)));
};

/** `DELETE /api/token/{id}`: fails if the key does not exist, for example the second time. */
export const deleteKey: Handler = (context, request) => {
  const id = tryReadId(request.id);
  const removed = id === undefined ? 0 : context.ledger.keys.remove(request.account.user_id, [id]);
  return removed === 1 ? successAnswer() : refuse(context, 'notFound');
};

/** `POST /api/token/batch`: deletes any number of keys, and answers how many of them existed. */
export const deleteKeys: Handler = (context, { account, body }) => {
  const ids = tryReadIds(body);
  return ids === undefined || lacksIds(context, ids)
    ? refuse(context, 'unreadableBody')
    : successAnswer(context.ledger.keys.remove(account.user_id, ids));
};

function writeKey(context: GatewayContext, key: StoredKey): Answer {
  context.ledger.keys.write(key);
  return successAnswer(context.profile.updatedData(key));
}

const asksToEnable = (body: unknown): boolean => propertiesOf(body).status === KEY_STATUS.enabled;

/**
 * `PUT /api/token/`: writes every mutable setting. It does not merge: omitted settings, and fields beyond the contract,
 * get their zero values. The status does not change. Contract: System API rule 1.
 */
export const updateKey: Handler = (context, { account, body }) => {
  const id = tryReadBodyId(body);
  const given = tryReadGiven(context, body);
  if (id === undefined || given === undefined) return refuse(context, 'unreadableBody');
  return context.ledger.transact(() => {
    const stored = context.ledger.keys.tryFind(account.user_id, id);
    if (stored === undefined) return refuse(context, 'notFound');
    const settings = withoutDropped(context, { ...ZERO_VALUES, ...given });
    const enabling =
      context.profile.updateChecksStatus && asksToEnable(body)
        ? context.profile.enableRefusal(stored, context.clock.now())
        : undefined;
    const broken = findBrokenRule(context, account, { settings, stored }) ?? enabling;
    if (broken) return refuse(context, broken);
    const groups = groupsOf(context.catalog, account);
    const extra = extraFrom(body, context.catalog.extraFields);
    const key = settleAutoGroups({ ...stored, ...settings, extra }, { body, stored, groups });
    return typeof key === 'string' ? refuse(context, key) : writeKey(context, key);
  });
};

/** Finds why a change of the status is refused for its body alone. */
function statusRefusal(
  context: GatewayContext,
  { account, body }: AuthenticatedRequest,
  status: Int64 | undefined,
): keyof Messages | undefined {
  if (context.profile.statusWrites === 'listed')
    return status === KEY_STATUS.enabled || status === KEY_STATUS.disabled ? undefined : 'invalidParameter';
  const given = tryReadGiven(context, body);
  if (given === undefined) return 'unreadableBody';
  return findBrokenRule(context, account, { settings: { ...ZERO_VALUES, ...given } });
}

/** `PUT /api/token/?status_only=true`: enables (1) or disables (2), and changes nothing else. */
export const setKeyStatus: Handler = (context, request) => {
  const { account, body } = request;
  const change = tryReadStatusChange(body);
  const broken = change && statusRefusal(context, request, change.status);
  if (change === undefined || broken) return refuse(context, broken ?? 'unreadableBody');
  const { id, status = 0 } = change;
  return context.ledger.transact(() => {
    const stored = context.ledger.keys.tryFind(account.user_id, id);
    if (stored === undefined) return refuse(context, 'notFound');
    const refusal =
      status === KEY_STATUS.enabled ? context.profile.enableRefusal(stored, context.clock.now()) : undefined;
    return refusal ? refuse(context, refusal) : writeKey(context, { ...stored, status });
  });
};
