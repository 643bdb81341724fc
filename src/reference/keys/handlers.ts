import { KEY_STATUS, SYSTEM_LIMITS } from '../../wire/index.ts';
import { type GatewayContext, refuse } from '../context.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { randomText, SECRET_LENGTH } from '../random.ts';
import { successAnswer } from '../server/answer.ts';
import type { AuthenticatedRequest, Handler } from '../system/request.ts';
import { tryReadId, tryReadIds } from './ids.ts';
import { findBrokenRule } from './judge.ts';
import { extraFrom, tryReadSettings } from './settings.ts';

/** The key that the path names, if this account owns it: a foreign one does not exist. */
function tryFindOwn(context: GatewayContext, request: AuthenticatedRequest): StoredKey | undefined {
  const id = tryReadId(request.id);
  return id === undefined ? undefined : context.ledger.keys.tryFind(request.account.user_id, id);
}

/** `POST /api/token/`: makes an enabled key. The answer does not say which id it got. */
export const createKey: Handler = (context, { account, body }) => {
  const given = tryReadSettings(body);
  if (given === undefined) return refuse(context, 'unreadableBody');
  const settings = { ...context.profile.createDefaults, ...given };
  const broken = findBrokenRule(context, account, { settings });
  if (broken) return refuse(context, broken);
  const now = context.clock.now();
  const most = context.profile.limits.keysPerUser;
  return context.ledger.transact(() => {
    const { keys } = context.ledger;
    if (typeof most === 'number' && keys.count(account.user_id, []) >= most) return refuse(context, 'tooManyKeys');
    keys.insert({
      ...settings,
      user_id: account.user_id,
      key: randomText(context.random, SECRET_LENGTH),
      status: KEY_STATUS.enabled,
      used_quota: 0,
      created_time: now,
      accessed_time: now,
      extra: extraFrom(body, context.catalog.extraFields),
    });
    return successAnswer();
  });
};

/** `GET /api/token/{id}`: the record, masked. */
export const readKey: Handler = (context, request) => {
  const key = tryFindOwn(context, request);
  return key ? successAnswer(context.profile.record(key)) : refuse(context, 'notFound');
};

/** `POST /api/token/{id}/key`: the stored value, without `sk-`. */
export const revealKey: Handler = (context, request) => {
  const key = tryFindOwn(context, request);
  return key ? successAnswer({ key: key.key }) : refuse(context, 'notFound');
};

/** `POST /api/token/batch/keys`: up to 100 stored values; ids that are not there are left out. */
export const revealKeys: Handler = (context, { account, body }) => {
  const ids = tryReadIds(body);
  if (ids === undefined) return refuse(context, 'unreadableBody');
  if (ids.length > SYSTEM_LIMITS.revealBatch) return refuse(context, 'tooManyIds');
  return successAnswer(context.profile.revealedKeys(context.ledger.keys.some(account.user_id, ids)));
};

/** `DELETE /api/token/{id}`: a second time there is nothing to delete, which is a failure. */
export const deleteKey: Handler = (context, request) => {
  const id = tryReadId(request.id);
  const removed = id === undefined ? 0 : context.ledger.keys.remove(request.account.user_id, [id]);
  return removed === 1 ? successAnswer() : refuse(context, 'notFound');
};

/** `POST /api/token/batch`: how many keys of the account were there and are gone now. Any number of ids. */
export const deleteKeys: Handler = (context, { account, body }) => {
  const ids = tryReadIds(body);
  return ids === undefined
    ? refuse(context, 'unreadableBody')
    : successAnswer(context.ledger.keys.remove(account.user_id, ids));
};
