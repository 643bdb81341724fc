import type { StoredEntry } from '../../../src/reference/ledger/log.ts';

/** A log entry with some fields of its own. */
export const entry = (fields: Partial<StoredEntry>): Omit<StoredEntry, 'id'> => ({
  ...{ user_id: 42, created_at: 1, type: 2, content: '', username: 'anna', token_name: 'key', model_name: 'chat-a' },
  ...{ quota: 7, prompt_tokens: 1, completion_tokens: 1, use_time: 0, is_stream: false, channel: 1, channel_name: '' },
  ...{ token_id: 1, group: 'default', ip: '127.0.0.1', request_id: 'r', other: '{}' },
  ...fields,
});
