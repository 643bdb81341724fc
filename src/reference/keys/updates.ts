import { KEY_STATUS } from '../../wire/index.ts';
import { type GatewayContext, refuse } from '../context.ts';
import type { StoredKey } from '../ledger/keys.ts';
import { type Answer, successAnswer } from '../server/answer.ts';
import type { Handler } from '../system/request.ts';
import { tryReadBodyId, tryReadStatusChange } from './ids.ts';
import { findBrokenRule } from './judge.ts';
import { whyNotEnable } from './lifecycle.ts';
import { extraFrom, tryReadSettings, ZERO_VALUES } from './settings.ts';

function writeKey(context: GatewayContext, key: StoredKey): Answer {
  context.ledger.keys.write(key);
  return successAnswer(context.profile.updatedData(key));
}

const asksToEnable = (body: unknown): boolean => (body as { status?: unknown }).status === KEY_STATUS.enabled;

/**
 * `PUT /api/token/`: writes every mutable setting. It does not merge: what the body leaves out becomes its zero value,
 * fields beyond the contract too. The status stays as it is. Contract: System API rule 1.
 */
export const updateKey: Handler = (context, { account, body }) => {
  const id = tryReadBodyId(body);
  const given = tryReadSettings(body);
  if (id === undefined || given === undefined) return refuse(context, 'unreadableBody');
  return context.ledger.transact(() => {
    const stored = context.ledger.keys.tryFind(account.user_id, id);
    if (stored === undefined) return refuse(context, 'notFound');
    const settings = { ...ZERO_VALUES, ...given };
    const enabling =
      context.profile.updateChecksStatus && asksToEnable(body) ? whyNotEnable(stored, context.clock.now()) : undefined;
    const broken = findBrokenRule(context, account, { settings, stored }) ?? enabling;
    if (broken) return refuse(context, broken);
    return writeKey(context, { ...stored, ...settings, extra: extraFrom(body, context.catalog.extraFields) });
  });
};

/** `PUT /api/token/?status_only=true`: enables (1) or disables (2), and changes nothing else. */
export const setKeyStatus: Handler = (context, { account, body }) => {
  const change = tryReadStatusChange(body);
  if (change === undefined) return refuse(context, 'unreadableBody');
  const { id, status } = change;
  if (status !== KEY_STATUS.enabled && status !== KEY_STATUS.disabled) return refuse(context, 'invalidParameter');
  return context.ledger.transact(() => {
    const stored = context.ledger.keys.tryFind(account.user_id, id);
    if (stored === undefined) return refuse(context, 'notFound');
    const refusal = status === KEY_STATUS.enabled ? whyNotEnable(stored, context.clock.now()) : undefined;
    return refusal ? refuse(context, refusal) : writeKey(context, { ...stored, status });
  });
};
