import { KEY_STATUS, SYSTEM_LIMITS } from '../../wire/index.ts';
import { refuse, type Site } from '../context.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { randomText, SECRET_LENGTH } from '../random.ts';
import { done } from '../server/answer.ts';
import type { Call, Handler } from '../system/request.ts';
import { tryReadId, tryReadIds } from './ids.ts';
import { judge } from './judge.ts';
import { extraFrom, tryReadSettings } from './settings.ts';

/** The key that the path names, if this account owns it: a foreign one does not exist. */
function tryFindOwn(site: Site, call: Call): StoredKey | undefined {
  const id = tryReadId(call.id);
  return id === undefined ? undefined : site.ledger.keys.tryFind(call.account.user_id, id);
}

/** `POST /api/token/`: makes an enabled key. The answer does not say which id it got. */
export const createKey: Handler = (site, { account, body }) => {
  const given = tryReadSettings(body);
  if (given === undefined) return refuse(site, 'unreadableBody');
  const settings = { ...site.profile.createDefaults, ...given };
  const broken = judge(site, account, { settings });
  if (broken) return refuse(site, broken);
  const now = site.clock.now();
  const most = site.profile.limits.keysPerUser;
  return site.ledger.transact(() => {
    const { keys } = site.ledger;
    if (typeof most === 'number' && keys.count(account.user_id, []) >= most) return refuse(site, 'tooManyKeys');
    keys.insert({
      ...settings,
      user_id: account.user_id,
      key: randomText(site.random, SECRET_LENGTH),
      status: KEY_STATUS.enabled,
      used_quota: 0,
      created_time: now,
      accessed_time: now,
      extra: extraFrom(body, site.catalog.extraFields),
    });
    return done();
  });
};

/** `GET /api/token/{id}`: the record, masked. */
export const readKey: Handler = (site, call) => {
  const key = tryFindOwn(site, call);
  return key ? done(site.profile.record(key)) : refuse(site, 'notFound');
};

/** `POST /api/token/{id}/key`: the stored value, without `sk-`. */
export const revealKey: Handler = (site, call) => {
  const key = tryFindOwn(site, call);
  return key ? done({ key: key.key }) : refuse(site, 'notFound');
};

/** `POST /api/token/batch/keys`: up to 100 stored values; ids that are not there are left out. */
export const revealKeys: Handler = (site, { account, body }) => {
  const ids = tryReadIds(body);
  if (ids === undefined) return refuse(site, 'unreadableBody');
  if (ids.length > SYSTEM_LIMITS.revealBatch) return refuse(site, 'tooManyIds');
  return done(site.profile.revealedKeys(site.ledger.keys.some(account.user_id, ids)));
};

/** `DELETE /api/token/{id}`: a second time there is nothing to delete, which is a failure. */
export const deleteKey: Handler = (site, call) => {
  const id = tryReadId(call.id);
  const removed = id === undefined ? 0 : site.ledger.keys.remove(call.account.user_id, [id]);
  return removed === 1 ? done() : refuse(site, 'notFound');
};

/** `POST /api/token/batch`: how many keys of the account were there and are gone now. Any number of ids. */
export const deleteKeys: Handler = (site, { account, body }) => {
  const ids = tryReadIds(body);
  return ids === undefined ? refuse(site, 'unreadableBody') : done(site.ledger.keys.remove(account.user_id, ids));
};
