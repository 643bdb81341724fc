/** The file's `user_version`. Files of unknown versions are refused. */
export const SCHEMA_VERSION = 2;

/** Version 2 added quota on hold for requests under way, video tasks and hosted files. */
export const ADDED_IN_2 = `
CREATE TABLE hold (
  request_id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL,
  key_id INTEGER NOT NULL,
  quota INTEGER NOT NULL
) STRICT;

CREATE TABLE task (
  task_id TEXT PRIMARY KEY,
  user_id INTEGER NOT NULL REFERENCES account (user_id),
  key_id INTEGER NOT NULL,
  request_id TEXT NOT NULL,
  model TEXT NOT NULL,
  family TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  priority INTEGER NOT NULL,
  expires_at INTEGER,
  started_at INTEGER,
  settled_at INTEGER,
  status TEXT NOT NULL,
  error TEXT,
  url TEXT,
  callback TEXT,
  -- Last: it may be large, and SQLite would read through it to reach later columns.
  request TEXT NOT NULL
) STRICT;
CREATE INDEX task_unsettled ON task (settled_at, model, created_at);
CREATE INDEX task_settled ON task (model, settled_at);
CREATE INDEX task_undelivered ON task (task_id) WHERE json_array_length(callback, '$.due') > 0;

CREATE TABLE file (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  media_type TEXT NOT NULL,
  bytes BLOB NOT NULL
) STRICT;
CREATE INDEX file_by_expiry ON file (expires_at);

PRAGMA user_version = ${SCHEMA_VERSION};
`;

/**
 * The ledger: accounts with their wallets, keys, and the usage log. IDs of deleted keys are never used again
 * (AUTOINCREMENT), because log entries still refer to them.
 */
export const SCHEMA = `
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE account (
  user_id INTEGER PRIMARY KEY,
  username TEXT NOT NULL,
  access_token TEXT NOT NULL UNIQUE,
  "group" TEXT NOT NULL,
  quota INTEGER NOT NULL,
  used_quota INTEGER NOT NULL,
  request_count INTEGER NOT NULL,
  groups TEXT,
  models TEXT
) STRICT;

CREATE TABLE key (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES account (user_id),
  name TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  status INTEGER NOT NULL,
  expired_time INTEGER NOT NULL,
  remain_quota INTEGER NOT NULL,
  used_quota INTEGER NOT NULL,
  unlimited_quota INTEGER NOT NULL,
  model_limits_enabled INTEGER NOT NULL,
  model_limits TEXT NOT NULL,
  allow_ips TEXT,
  "group" TEXT NOT NULL,
  cross_group_retry INTEGER NOT NULL,
  smart_routing INTEGER NOT NULL,
  smart_route_tiers TEXT NOT NULL,
  created_time INTEGER NOT NULL,
  accessed_time INTEGER NOT NULL,
  extra TEXT NOT NULL
) STRICT;
CREATE INDEX key_of_account ON key (user_id, id);

CREATE TABLE log (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES account (user_id),
  created_at INTEGER NOT NULL,
  type INTEGER NOT NULL,
  content TEXT NOT NULL,
  username TEXT NOT NULL,
  token_name TEXT NOT NULL,
  model_name TEXT NOT NULL,
  quota INTEGER NOT NULL,
  prompt_tokens INTEGER NOT NULL,
  completion_tokens INTEGER NOT NULL,
  use_time INTEGER NOT NULL,
  is_stream INTEGER NOT NULL,
  channel INTEGER NOT NULL,
  channel_name TEXT NOT NULL,
  token_id INTEGER NOT NULL,
  "group" TEXT NOT NULL,
  ip TEXT NOT NULL,
  request_id TEXT NOT NULL,
  other TEXT NOT NULL
) STRICT;
CREATE INDEX log_of_account ON log (user_id, created_at, id);
${ADDED_IN_2}`;
