import { LOG_TYPE } from '../../wire/index.ts';
import type { GatewayContext } from '../context.ts';
import type { StoredTask } from '../ledger/tasks.ts';

/**
 * Refunds a failed task and logs it. Call it within the transaction that settles the task, so that it happens once.
 */
export function refund(context: GatewayContext, { user_id, key_id, request_id }: StoredTask, content: string): void {
  const { accounts, keys, log } = context.ledger;
  const paid = log.page(
    user_id,
    [
      { sql: 'request_id = ?', bindings: [request_id] },
      { sql: 'type = ?', bindings: [LOG_TYPE.consumption] },
    ],
    { limit: 1, offset: 0 },
  )[0];
  if (paid === undefined || paid.quota === 0) return;
  const now = context.clock.now();
  accounts.charge(user_id, -paid.quota, 0);
  keys.charge(key_id, -paid.quota, now);
  const { id: _entry, ...entry } = paid;
  log.append({
    ...entry,
    created_at: now,
    type: LOG_TYPE.refund,
    content,
    prompt_tokens: 0,
    completion_tokens: 0,
    use_time: 0,
  });
}
