// Each line of the contract's System API, in its order, and the sections that show it.
import type { Lines } from '../page.ts';

const CREATE = 'POST /api/token/';
const CREATE_REFUSED = 'POST /api/token/, rejected';
const LIST = 'GET /api/token/';
const PAGES = 'Rule 4: pages';
const SEARCH = 'GET /api/token/search, rule 5';
const READ = 'GET /api/token/{id}';
const REVEAL = 'POST /api/token/{id}/key';
const BATCH_REVEAL = 'POST /api/token/batch/keys';
const UPDATE = 'PUT /api/token/';
const UPDATE_REFUSED = 'PUT /api/token/, rejected';
const NO_MERGE = 'Rule 1: a full update does not merge';
const STATUS_ONLY = 'PUT /api/token/?status_only=true, rule 2';
const STATUS_REFUSED = 'PUT /api/token/?status_only=true, rejected';
const DELETE = 'DELETE /api/token/{id}';
const BATCH_DELETE = 'POST /api/token/batch, rule 6';
const LOG = 'GET /api/log/self';
const STATISTICS = 'GET /api/log/self/stat';
const ROTATION = 'GET /api/user/token, a rotation';
const BOTH = 'Authentication: both headers, or 401';
const UNKNOWN_TOKEN = 'Authentication: an unknown token is HTTP 200';
const MODELS = 'Authentication: GET /v1/models';
const MOVES = 'Automatic moves into states 3 and 4';

const ADVICE = { not: 'advice to clients; nothing that a gateway could answer' };

export const LINES: Lines = {
  'System API response envelope': [
    ['`success`: true when the operation succeeded', [CREATE, CREATE_REFUSED]],
    ['`message`: empty on success, error text otherwise', [CREATE, CREATE_REFUSED]],
    ['`data`: payload; shape depends on the endpoint', ['GET /api/status', READ, BATCH_DELETE]],
    ['Some validation and authentication failures are HTTP 200 and `success` false', [CREATE_REFUSED, UNKNOWN_TOKEN]],
  ],
  'API key record': [
    ['`id`: integer, required for updates', [READ, UPDATE_REFUSED]],
    ['`name`: at most 50 characters', [CREATE_REFUSED, UPDATE_REFUSED]],
    ['`expired_time`: Unix seconds; -1 means no expiration', [CREATE, 'State 3, expired']],
    ['`remain_quota`: a ceiling for this key; no funds leave the wallet', [CREATE, MOVES, STATISTICS]],
    ['`unlimited_quota`: no ceiling; requests still consume the balance', [LOG, STATISTICS]],
    ['`model_limits_enabled`: enables the allowlist', [MODELS]],
    ['`model_limits`: comma-separated model IDs', [CREATE, MODELS]],
    ['`allow_ips`: newline-separated addresses or CIDR ranges; "" or null is unrestricted', [CREATE, UPDATE, MODELS]],
    ['`group`: the list of groups is account-specific', [CREATE_REFUSED, UPDATE_REFUSED]],
    ['`cross_group_retry`', [CREATE, NO_MERGE]],
    ['`smart_routing`', ['Rule 3: exclude_smart_routing']],
    ['`smart_route_tiers`: JSON-encoded; inner structure not shown', [CREATE_REFUSED, 'Rule 3: exclude_smart_routing']],
    ['`status`: 1 enabled', [READ]],
    ['`status`: 2 manually disabled', [STATUS_ONLY]],
    ['`status`: 3 expired', ['State 3, expired']],
    ['`status`: 4 quota exhausted', ['State 4, quota exhausted']],
    ['`key`: always masked in list, search and read', [LIST, SEARCH, READ]],
  ],
  'Key value rules': [
    ['The reveal endpoints return the complete stored value without `sk-`', [REVEAL, BATCH_REVEAL]],
    ['The usable credential is `sk-` followed by the stored value', [REVEAL, MODELS]],
    ['`token` accepts a key with or without `sk-`', [SEARCH]],
    ['A create response does not contain the new record ID', [CREATE]],
  ],
  'Account and quota units': [
    ['`data.id`: numeric user ID', ['GET /api/user/self']],
    ['`data.quota`: wallet balance in quota units', ['GET /api/user/self', STATISTICS]],
    ['Public status data holds `quota_per_unit`', ['GET /api/status']],
    ['internal quota = USD × `quota_per_unit`; 1 USD = 500,000 now', ['GET /api/status']],
  ],
  'Usage log entry': [
    ['`id`, `user_id`, `created_at`, `type`, `content`, `username`', [LOG]],
    ['`token_name`, `model_name`, `quota`, `prompt_tokens`, `completion_tokens`', [LOG]],
    ['`use_time`, `is_stream`, `channel`, `channel_name`, `token_id`, `group`, `ip`, `request_id`', [LOG]],
    ['`other`: a JSON-encoded string, with all twelve keys', [LOG]],
    ['`type`: the allowed values are not shown', { not: 'a gap: only consumption, 2, is entered' }],
  ],
  'Cumulative usage': [
    ['`data.quota`: cumulative quota consumed', [STATISTICS]],
    ['`data.rpm`, `data.tpm`', [STATISTICS]],
  ],
  'API key status': [
    ['1 → 2 by `status_only`; all other settings preserved', [STATUS_ONLY]],
    ['1 → 2 only of a key that exists and is owned by the caller', [STATUS_REFUSED]],
    ['2 → 1 when expiration and quota conditions are valid; all other settings preserved', [STATUS_ONLY]],
    ['2 stays 2 when they are not', ['State 2 with an invalid expiry or quota']],
    ['3 stays 3 until the expiration condition is corrected', ['State 3, expired']],
    ['4 stays 4 until the quota condition is corrected', ['State 4, quota exhausted']],
    ['Automatic moves into states 3 and 4 are not shown (a gap)', [MOVES]],
  ],
  'System API endpoints': [
    ['All require the two credential headers except `GET /api/status`', [BOTH, 'GET /api/status']],
    ['JSON bodies need `Content-Type: application/json`', [CREATE_REFUSED]],
    ['`GET /api/status`', ['GET /api/status']],
    ['`GET /api/user/self`', ['GET /api/user/self']],
    ['`GET /api/user/self/groups`', ['GET /api/user/self/groups']],
    ['`GET /api/user/token`: invalidates the previous token', [ROTATION]],
    ['`POST /api/token/`: mutable fields without `id`; envelope only', [CREATE]],
    ['`GET /api/token/`: `p`, page size, `exclude_smart_routing`; `items[]`', [LIST, PAGES]],
    ['`GET /api/token/search`: `keyword`, `token`, `p`, page size; `items[]`', [SEARCH, PAGES]],
    ['`GET /api/token/{id}`: one masked record', [READ]],
    ['`POST /api/token/{id}/key`: object with `key`', [REVEAL]],
    ['`POST /api/token/batch/keys`: `{ids}`; revealed keys', [BATCH_REVEAL]],
    ['`PUT /api/token/`: all mutable fields and `id`; envelope', [UPDATE]],
    ['`PUT /api/token/?status_only=true`: `{id, status}`; envelope', [STATUS_ONLY]],
    ['`DELETE /api/token/{id}`: envelope', [DELETE]],
    ['`POST /api/token/batch`: `{ids}`; number of records actually deleted', [BATCH_DELETE]],
    ['`GET /api/log/self`: `p`, `page_size`; `page`, `page_size`, `total`, `items[]`, newest first', [LOG]],
    ['`GET /api/log/self/stat`: `quota`, `rpm`, `tpm`', [STATISTICS]],
  ],
  Rules: [
    ['1. A full update, not a merge: what is omitted is not preserved', [NO_MERGE]],
    ['2. `status_only=true` changes only `status`', [STATUS_ONLY]],
    [
      '3. The list excludes Smart Routing keys; `exclude_smart_routing=false` includes every key',
      ['Rule 3: exclude_smart_routing'],
    ],
    ['4. `size`, `page_size`, `ps`; at most 100; pages start at 1', [PAGES]],
    ['5. `keyword` matches the key name or the stored key value', [SEARCH]],
    ['6. Batch delete acts on owned keys only', [BATCH_DELETE]],
    ['7. A create is located afterwards through list or search', [CREATE]],
  ],
  Gaps: [
    ['Response shape of the batch reveal: a list of `{id, key}` here', [BATCH_REVEAL]],
    ['Element shape of the groups list: names here', ['GET /api/user/self/groups']],
    ['Response shape of the token rotation: the bare token here', [ROTATION]],
    ['Pagination fields beyond `items`: none here', [LIST]],
    ['The path of the model listing: `/v1/models` here', [MODELS]],
  ],
  'Authentication, System API': [
    ['`Authorization: Bearer`, `New-Api-User`: numeric, must belong to the token', [BOTH]],
    ['1. Every protected request needs both; `GET /api/status` needs none', [BOTH, 'GET /api/status']],
    ['2. Missing credentials or a user-ID mismatch can be 401', [BOTH]],
    ['2. An invalid access token can be HTTP 200 with `success` false', [UNKNOWN_TOKEN]],
    ['3. `GET /api/user/token` rotates the token; routine automation does not call it', [ROTATION]],
    ['4. The token is kept server-side, out of logs and source control', ADVICE],
    ['5. The usage-log endpoints use the same two headers', [BOTH]],
  ],
  'Authentication, inference and media API': [
    ['`Authorization: Bearer sk-<KEY>`', [MODELS]],
    ['`status` must be 1', [STATUS_ONLY, MODELS]],
    ['`expired_time` holds', [MOVES]],
    ['`remain_quota` holds, unless `unlimited_quota`', [MOVES]],
    ['`model_limits` hold when enabled; `allow_ips` when set', [MODELS]],
    ['An invalid key: `error.message` `Invalid token`, `error.type` `invalid_request_error`', [MODELS]],
  ],
  Errors: [
    ['System API failure can be 200: envelope with `success` false and `message`', [CREATE_REFUSED]],
    ['Missing credentials or user-ID mismatch can be 401: envelope', [BOTH]],
    ['A client checks `success`, not the HTTP status alone', ADVICE],
    ['Token counting, video, images, downloads', { not: 'the inference and media half is not built' }],
    ['(not stated) unknown paths', ['Errors: unknown paths and methods']],
  ],
  'Limits, System API': [
    ['key `name` length at most 50 characters', [CREATE_REFUSED, UPDATE_REFUSED]],
    ['key list and search page size at most 100', [PAGES]],
    ['ids per batch reveal up to 100', [BATCH_REVEAL]],
    ['`expired_time` -1 for no expiration', [CREATE]],
    ['Rate limits are not shown: none here', { not: 'a gap: nothing to show; the profile `deployed` has some' }],
  ],
  Versioning: [['System API paths carry `/api` with no version segment', ['GET /api/status']]],
};
