import { KEY_STATUS } from '../../wire/index.ts';
import { refuse, type Site } from '../context.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { type Answer, done } from '../server/answer.ts';
import type { Handler } from '../system/request.ts';
import { tryReadBodyId, tryReadStatusChange } from './ids.ts';
import { judge } from './judge.ts';
import { enablingRefusal } from './lifecycle.ts';
import { extraFrom, tryReadSettings, ZERO_VALUES } from './settings.ts';

function written(site: Site, key: StoredKey): Answer {
  site.ledger.keys.write(key);
  return done(site.profile.updatedData(key));
}

const asksToEnable = (body: unknown): boolean => (body as { status?: unknown }).status === KEY_STATUS.enabled;

/**
 * `PUT /api/token/`: writes every mutable setting. It does not merge: what the body leaves out becomes its zero value,
 * fields beyond the contract too. The status stays as it is. Contract: System API rule 1.
 */
export const updateKey: Handler = (site, { account, body }) => {
  const id = tryReadBodyId(body);
  const given = tryReadSettings(body);
  if (id === undefined || given === undefined) return refuse(site, 'unreadableBody');
  return site.ledger.transact(() => {
    const stored = site.ledger.keys.tryFind(account.user_id, id);
    if (stored === undefined) return refuse(site, 'notFound');
    const settings = { ...ZERO_VALUES, ...given };
    const enabling =
      site.profile.updateChecksStatus && asksToEnable(body) ? enablingRefusal(stored, site.clock.now()) : undefined;
    const broken = judge(site, account, { settings, stored }) ?? enabling;
    if (broken) return refuse(site, broken);
    return written(site, { ...stored, ...settings, extra: extraFrom(body, site.catalog.extraFields) });
  });
};

/** `PUT /api/token/?status_only=true`: enables (1) or disables (2), and changes nothing else. */
export const setKeyStatus: Handler = (site, { account, body }) => {
  const change = tryReadStatusChange(body);
  if (change === undefined) return refuse(site, 'unreadableBody');
  const { id, status } = change;
  if (status !== KEY_STATUS.enabled && status !== KEY_STATUS.disabled) return refuse(site, 'invalidParameter');
  return site.ledger.transact(() => {
    const stored = site.ledger.keys.tryFind(account.user_id, id);
    if (stored === undefined) return refuse(site, 'notFound');
    const refusal = status === KEY_STATUS.enabled ? enablingRefusal(stored, site.clock.now()) : undefined;
    return refusal ? refuse(site, refusal) : written(site, { ...stored, status });
  });
};
