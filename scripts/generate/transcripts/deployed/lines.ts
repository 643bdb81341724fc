// The behaviour of deployed gateways beyond the contract, line by line, with the sections that show it.
import type { Lines } from '../page.ts';

const RECORD = 'Records have more fields, and masks show more';
const PAGES = 'Pages have totals, newest first, and sizes are clamped';
const CREATE = 'Creates are not validated';
const SEARCH = 'Search is exact unless % is given';
const UPDATE = 'A full update answers the record, and has traps';
const WIPES = 'A full update wipes the fields that it does not echo';
const STATUS = 'Status in a full update is not applied, but checked';
const LAZY = 'Moves into 3 and 4 are lazy, and overdrafts happen';
const REVEAL = 'Batch reveal is a map by id';
const LITERAL = 'Models, addresses and groups are taken literally';
const CREDENTIALS = 'Credentials and messages';
const RATES = 'Rate limits';
const UNKNOWN = 'Unknown paths are not in the envelope';
const REJECTIONS = 'Rejections of /v1';
const LOG = 'The usage log has filters, and ordinals for ids';

const INFERENCE = { not: 'the inference and media half is not built' };

export const LINES: Lines = {
  Keys: [
    ['Extra fields: `user_id`, `created_time`, `accessed_time`, `used_quota`, `DeletedAt`', [RECORD]],
    ['Forks add fields; a full update that drops one wipes it', [WIPES]],
    ['Newer builds: `auto_groups`', { not: 'a seed can have any field, including this one' }],
    ['Read-only: `id`, `user_id`, `key`, `status` in a full update, `used_quota`, times', [UPDATE, STATUS]],
    ['List and search: `page`, `page_size`, `total`, `items`; ids descending', [PAGES, SEARCH]],
    ['Default page size 10; over 100 clamped silently', [PAGES]],
    ['Pages are offsets', { not: 'shown by the tests of the client, where keys come and go during a walk' }],
    ['`items` is `[]` when empty', [PAGES]],
    ['`POST` answers no `data`; `PUT` the masked record', [CREATE, UPDATE]],
    ['Masked key: first four, ten asterisks, last four', [RECORD]],
    ['Masks can collide', { not: 'follows from the previous line' }],
    ['Names: not unique, may be empty, at most 50 bytes', [CREATE]],
    ['Not validated: duplicate names, group, models, addresses, an expiry in the past', [CREATE]],
    ['At most 1000 keys for a user', ['At most 1000 keys']],
    ['Omitted `expired_time` is stored as 0, and the key dies at its next use', [CREATE, UPDATE]],
    ['Omitted `remain_quota` becomes 0, omitted `allow_ips` null', [UPDATE]],
    ['`status` in a full update is not applied; 1 triggers the check by the stored values', [STATUS]],
    ['A corrected key in state 3 or 4 stays there until a `status_only` update', [STATUS, LAZY]],
    ['`remain_quota` is written absolutely', [UPDATE]],
    ['It can be negative; a negative value on a limited key is rejected', [RECORD, LAZY, UPDATE]],
    ['Spending moves `remain_quota` down and `used_quota` up by the same', [RECORD, LAZY]],
    ['Any `status_only` counts, even `false`', ['Any status_only counts']],
    ['Deleting twice is 200 with `success` false', ['Deletes']],
    ['Batch reveal: `{keys: {"<id>": "<value>"}}`; absent ids; over 100 an error', [REVEAL]],
    ['Batch delete has no maximum, and answers a count', ['Deletes']],
    ['`/api/token` redirects with 301 or 307', ['The missing slash redirects']],
    ['Search is exact unless `%` is given, and ignores ASCII case', [SEARCH]],
    ['Search is limited to 10 a minute; the first list page is not', [RATES, CREATE]],
    ['1 to 3 or 4 happens at the next inference request', [UPDATE, LAZY]],
    ['… and on some deployments never', { not: 'this gateway always does' }],
  ],
  'Limits and errors': [
    ['`/api` 360 in 180 s by IP', [RATES]],
    ['reveal and batch reveal 20 in 20 minutes, one bucket; a batch counts once', [RATES]],
    ['search 10 in 60 s', [RATES]],
    ['429 has an empty body, often no `Retry-After`', [RATES]],
    ['Messages are translated or Chinese', [CREDENTIALS]],
    ['No token 401; unknown token 200; missing, malformed or foreign user id 401', [CREDENTIALS]],
    ['Newer builds: 401 or 403 with a `code`', { not: 'this gateway is one of the older ones' }],
    ['Unknown paths: 404 with `{error: {message, type}}`', [UNKNOWN]],
    ['Proxies in front answer HTML', [UNKNOWN]],
    ['`/v1`: `{error: {message: "… (request id: …)", type, code}}`', [REJECTIONS]],
    ['Missing, unknown, disabled, expired and exhausted keys: 401 “Invalid token”', [REJECTIONS, UPDATE, LAZY]],
    ['IP 403 `access_denied`; model 403; group 403', [REJECTIONS, LITERAL]],
    ['Wallet 403 `insufficient_user_quota`; pre-charge 403 `pre_consume_token_quota_failed`', [REJECTIONS]],
    ['No channel 503 `model_not_found`', [REJECTIONS]],
    ['No price 400 `model_price_error`', INFERENCE],
    ['`model_limits` split without trimming; enabled and empty forbids all', [LITERAL]],
    ['`allow_ips`: invalid lines ignored; only invalid ones block everyone', [LITERAL]],
  ],
  'Account, logs': [
    ['(in addition to these lines) more fields of status and account', ['Status and account have more fields']],
    ['Groups: `{name: {ratio, desc}}`', ['Groups are a map']],
    ['An empty `group` means the user’s own', [LOG]],
    ['The rotation answers the bare new token', ['The rotation answers the bare token']],
    ['`GET /v1/models`: `{object: "list", data: [{id, …}]}`, only what this key can use', [REJECTIONS, LITERAL]],
    [
      'Log filters: `type`, `start_timestamp`, `end_timestamp` (inclusive), `token_name`, `model_name`, `group`, `request_id`',
      [LOG],
    ],
    ['Types 1 to 6', { not: 'only consumption, 2, is entered' }],
    ['`items[].id` can be the ordinal in the listing', [LOG]],
    ['`rpm` and `tpm`: the last 60 seconds', [LOG]],
    ['Requests are pre-charged and settled after', [LAZY]],
    ['A failed request is refunded', INFERENCE],
  ],
  Video: [['Task queries and task errors', INFERENCE]],
};
