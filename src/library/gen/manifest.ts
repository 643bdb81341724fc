// Generated from the manifest schema in src/manifest by `npm run generate`. Do not edit.

/**
 * The amount that the key can spend.
 */
export type ManifestBudget =
  | 'unlimited'
  | {
      /**
       * Amount in US dollars, exact to the last digit.
       */
      usd: number | string;
    }
  | {
      /**
       * Amount in US dollars, exact to the last digit.
       */
      usd: number | string;
      /**
       * Allowance for each time window, in UTC: hour, day, week, month, or a number of days such as 7d. A budget that is never refilled: lifetime.
       */
      per: string;
    }
  | {
      /**
       * Amount in US dollars, exact to the last digit.
       */
      usd: number | string;
      /**
       * Top up to the budget when less than this remains.
       */
      below:
        | {
            /**
             * Amount in US dollars, exact to the last digit.
             */
            usd: number | string;
          }
        | {
            /**
             * Amount in internal quota units of the gateway.
             */
            quota: number | string;
          };
    }
  | {
      /**
       * Amount in US dollars, exact to the last digit.
       */
      usd: number | string;
      /**
       * Set the budget only when the key is created.
       */
      initial: true | 'true';
    }
  | {
      /**
       * Amount in internal quota units of the gateway.
       */
      quota: number | string;
    }
  | {
      /**
       * Amount in internal quota units of the gateway.
       */
      quota: number | string;
      /**
       * Allowance for each time window, in UTC: hour, day, week, month, or a number of days such as 7d. A budget that is never refilled: lifetime.
       */
      per: string;
    }
  | {
      /**
       * Amount in internal quota units of the gateway.
       */
      quota: number | string;
      /**
       * Top up to the budget when less than this remains.
       */
      below:
        | {
            /**
             * Amount in US dollars, exact to the last digit.
             */
            usd: number | string;
          }
        | {
            /**
             * Amount in internal quota units of the gateway.
             */
            quota: number | string;
          };
    }
  | {
      /**
       * Amount in internal quota units of the gateway.
       */
      quota: number | string;
      /**
       * Set the budget only when the key is created.
       */
      initial: true | 'true';
    };
/**
 * A place where the secret is delivered.
 */
export type ManifestSink =
  | {
      /**
       * Relative to the folder of the manifest file.
       */
      file: string;
      format: 'dotenv' | 'json' | 'yaml';
      /**
       * The entry that holds the secret.
       */
      as: string;
      /**
       * Replaces a value that Keyplane did not write. Default: false.
       */
      adopt?: boolean | ('true' | 'false');
      /**
       * The time until the readers of the sink have a new secret, such as `90s`.
       */
      propagate?: string;
      /**
       * The end of the secret in the sink when its key is destroyed. Default: keep.
       */
      onDestroy?: 'keep' | 'remove';
    }
  | {
      /**
       * Relative to the folder of the manifest file.
       */
      file: string;
      format: 'raw';
      /**
       * Replaces a value that Keyplane did not write. Default: false.
       */
      adopt?: boolean | ('true' | 'false');
      /**
       * The time until the readers of the sink have a new secret, such as `90s`.
       */
      propagate?: string;
      /**
       * The end of the secret in the sink when its key is destroyed. Default: keep.
       */
      onDestroy?: 'keep' | 'remove';
    }
  | {
      /**
       * Relative to the folder of the manifest file.
       */
      file: string;
      /**
       * @minItems 1
       */
      encrypt: string[];
      /**
       * Replaces a value that Keyplane did not write. Default: false.
       */
      adopt?: boolean | ('true' | 'false');
      /**
       * The time until the readers of the sink have a new secret, such as `90s`.
       */
      propagate?: string;
      /**
       * The end of the secret in the sink when its key is destroyed. Default: keep.
       */
      onDestroy?: 'keep' | 'remove';
    }
  | {
      kubernetesSecret: {
        name: string;
        namespace?: string;
        /**
         * Relative to the folder of the manifest file.
         */
        file: string;
        /**
         * The entry that holds the secret.
         */
        as?: string;
      };
      /**
       * Replaces a value that Keyplane did not write. Default: false.
       */
      adopt?: boolean | ('true' | 'false');
      /**
       * The time until the readers of the sink have a new secret, such as `90s`.
       */
      propagate?: string;
      /**
       * The end of the secret in the sink when its key is destroyed. Default: keep.
       */
      onDestroy?: 'keep' | 'remove';
    }
  | {
      vault: {
        url: string;
        namespace?: string;
        /**
         * The key-value store of version 2. Default: secret.
         */
        mount?: string;
        path: string;
        /**
         * The entry that holds the secret.
         */
        as: string;
      };
      /**
       * Replaces a value that Keyplane did not write. Default: false.
       */
      adopt?: boolean | ('true' | 'false');
      /**
       * The time until the readers of the sink have a new secret, such as `90s`.
       */
      propagate?: string;
      /**
       * The end of the secret in the sink when its key is destroyed. Default: keep.
       */
      onDestroy?: 'keep' | 'remove';
    }
  | {
      gitlabVariable:
        | {
            project: string;
            /**
             * Default: https://gitlab.com.
             */
            url?: string;
            /**
             * The name of the variable.
             */
            as: string;
            /**
             * The scope of the variable. Default: every environment.
             */
            environment?: string;
            /**
             * Masks the value in the logs of jobs. Default: true.
             */
            masked?: boolean | ('true' | 'false');
            /**
             * Hides the value for ever, from its creation. Default: false.
             */
            hidden?: boolean | ('true' | 'false');
            /**
             * Only for protected branches and tags. Default: false.
             */
            protected?: boolean | ('true' | 'false');
          }
        | {
            group: string;
            /**
             * Default: https://gitlab.com.
             */
            url?: string;
            /**
             * The name of the variable.
             */
            as: string;
            /**
             * The scope of the variable. Default: every environment.
             */
            environment?: string;
            /**
             * Masks the value in the logs of jobs. Default: true.
             */
            masked?: boolean | ('true' | 'false');
            /**
             * Hides the value for ever, from its creation. Default: false.
             */
            hidden?: boolean | ('true' | 'false');
            /**
             * Only for protected branches and tags. Default: false.
             */
            protected?: boolean | ('true' | 'false');
          };
      /**
       * Replaces a value that Keyplane did not write. Default: false.
       */
      adopt?: boolean | ('true' | 'false');
      /**
       * The time until the readers of the sink have a new secret, such as `90s`.
       */
      propagate?: string;
      /**
       * The end of the secret in the sink when its key is destroyed. Default: keep.
       */
      onDestroy?: 'keep' | 'remove';
    }
  | {
      githubSecret: {
        /**
         * The address of the API. Default: https://api.github.com.
         */
        url?: string;
        repository: string;
        environment?: string;
        as: string;
      };
      /**
       * Replaces a value that Keyplane did not write. Default: false.
       */
      adopt?: boolean | ('true' | 'false');
      /**
       * The time until the readers of the sink have a new secret, such as `90s`.
       */
      propagate?: string;
      /**
       * The end of the secret in the sink when its key is destroyed. Default: keep.
       */
      onDestroy?: 'keep' | 'remove';
    }
  | {
      awsSecret: {
        name: string;
        region: string;
        /**
         * Default: the public endpoint of the region.
         */
        url?: string;
      };
      /**
       * Replaces a value that Keyplane did not write. Default: false.
       */
      adopt?: boolean | ('true' | 'false');
      /**
       * The time until the readers of the sink have a new secret, such as `90s`.
       */
      propagate?: string;
      /**
       * The end of the secret in the sink when its key is destroyed. Default: keep.
       */
      onDestroy?: 'keep' | 'remove';
    }
  | {
      /**
       * @minItems 1
       */
      exec: string[];
      /**
       * A program that prints what the sink holds.
       *
       * @minItems 1
       */
      read?: string[];
      /**
       * Variables that the programs get, in addition to PATH, HOME and the like.
       */
      env?: string[];
      /**
       * The time limit of a program. Default: 60s.
       */
      timeout?: string;
      /**
       * Replaces a value that Keyplane did not write. Default: false.
       */
      adopt?: boolean | ('true' | 'false');
      /**
       * The time until the readers of the sink have a new secret, such as `90s`.
       */
      propagate?: string;
      /**
       * The end of the secret in the sink when its key is destroyed. Default: keep.
       */
      onDestroy?: 'keep' | 'remove';
    };

/**
 * The desired API keys of an LLM gateway account.
 */
export interface KeyplaneManifest {
  /**
   * The location of this schema, for editors. Keyplane ignores it.
   */
  $schema?: string;
  /**
   * The version of the manifest’s language.
   */
  version: 1;
  gateway?: ManifestGateway;
  ownership?: ManifestOwnership;
  /**
   * The owners of keys, by name, with their keys and contacts.
   */
  owners?: {
    [k: string]: ManifestOwner;
  };
  policy?: ManifestPolicy;
  audit?: ManifestAudit;
  defaults?: ManifestDefaults;
  /**
   * The keys, by name.
   */
  keys?: {
    [k: string]: ManifestKey;
  };
  /**
   * Named checks that keys select.
   */
  checks?: {
    [k: string]: ManifestCheck;
  };
}
/**
 * The gateway and the account.
 */
export interface ManifestGateway {
  /**
   * The base URL of the gateway.
   */
  url?: string;
  /**
   * The numeric user ID that the system access token belongs to.
   */
  userId?: number | string;
  /**
   * A file that holds the system access token, in the folder of the manifest file or below it.
   */
  accessTokenFile?: string;
  /**
   * The behaviour of the gateway: a name, or a profile file in the folder of the manifest file or below it. Omitted: recognized by its answers.
   */
  profile?: ('contract' | 'deployed' | 'deployed@1.0') | string;
}
/**
 * Which live keys this manifest owns.
 */
export interface ManifestOwnership {
  /**
   * Names that this manifest owns. Omitted: only the names it declares.
   */
  scope?: string | string[];
  /**
   * What happens to owned keys that are not declared. Default: never.
   */
  prune?:
    | ('never' | 'disable' | 'delete')
    | {
        mode: 'never' | 'disable' | 'delete';
        /**
         * The time for which a key is disabled before it is deleted, in whole days. Requires the mode `delete`.
         */
        quarantine?: string;
      };
  /**
   * Names that are never disabled, deleted or renamed.
   */
  protect?: string | string[];
}
/**
 * An owner of keys.
 */
export interface ManifestOwner {
  /**
   * Names of keys that are theirs unless the key names another owner. The last owner that matches wins.
   */
  keys?: string | string[];
  /**
   * The people or channels that drift messages are for.
   */
  notify?: string | string[];
}
/**
 * Rules that every declared key must keep.
 */
export interface ManifestPolicy {
  /**
   * Every key must have a budget; with an amount: of at most this much, whatever its form, for each window or top-up.
   */
  budget?:
    | true
    | (
        | {
            /**
             * Amount in US dollars, exact to the last digit.
             */
            usd: number | string;
          }
        | {
            /**
             * Amount in internal quota units of the gateway.
             */
            quota: number | string;
          }
      );
  /**
   * The most that one key may spend within 30 days.
   */
  exposure?:
    | {
        /**
         * Amount in US dollars, exact to the last digit.
         */
        usd: number | string;
      }
    | {
        /**
         * Amount in internal quota units of the gateway.
         */
        quota: number | string;
      };
  /**
   * Every key must expire; with a duration: within it from now.
   */
  expires?: 'never' | Date | string;
  /**
   * Every key must list its models; with a list: only these models, by name or pattern.
   */
  models?: true | string[];
  /**
   * Models that no key may use, by name or pattern, in any case. Every key must list its models.
   *
   * @minItems 1
   */
  forbiddenModels?: string[];
  /**
   * Every key must list its addresses, and the list must not admit the internet; with a list: only addresses within these ranges.
   */
  allowIps?: true | string[];
  /**
   * Every key must have an owner; with a list: one of these.
   */
  owner?: true | string[];
  /**
   * The most that all keys of the manifest together may spend within 30 days.
   */
  totalExposure?:
    | {
        /**
         * Amount in US dollars, exact to the last digit.
         */
        usd: number | string;
      }
    | {
        /**
         * Amount in internal quota units of the gateway.
         */
        quota: number | string;
      };
  /**
   * Names of keys that no rule applies to.
   */
  except?: string | string[];
}
/**
 * What an audit accepts.
 */
export interface ManifestAudit {
  /**
   * Findings that are accepted for a time.
   */
  waivers?: ManifestWaiver[];
}
/**
 * Leaves the findings of one audit rule for some keys and a time.
 */
export interface ManifestWaiver {
  /**
   * The rule that is waived.
   */
  rule:
    | 'undeclared'
    | 'open-ip-rule'
    | 'no-budget'
    | 'no-expiry'
    | 'no-allowlist'
    | 'unused'
    | 'rotation-due'
    | 'no-owner'
    | 'no-ip-rule';
  /**
   * The keys that it is waived for: a name or a pattern.
   */
  keys: string;
  /**
   * The reason, in one line.
   */
  reason: string;
  /**
   * The last day of the waiver, in UTC. After it, the waiver is a finding.
   */
  until: string;
}
/**
 * Values for keys that omit a field.
 */
export interface ManifestDefaults {
  /**
   * Set to false to disable the key. A new key is enabled unless this is false.
   */
  enabled?: boolean | ('true' | 'false');
  /**
   * One of the account’s groups; an empty string for the account’s own.
   */
  group?: string;
  /**
   * Retry failed requests in other groups. Only applies to automatic groups.
   */
  crossGroupRetry?: boolean | ('true' | 'false');
  /**
   * Model IDs that the key may use, or any. Omitted: not managed.
   */
  models?: 'any' | string[];
  /**
   * Addresses and canonical CIDR ranges that may use the key, or anywhere. Omitted: not managed.
   */
  allowIps?: 'anywhere' | string[];
  /**
   * Time of expiry with its offset, or never. Omitted: not managed.
   */
  expires?: 'never' | Date | string;
  budget?: ManifestBudget;
  smartRouting?: ManifestSmartRouting;
  /**
   * The team or person that answers for the key. Kept in the manifest alone.
   */
  owner?: string;
  /**
   * What the key is for, in one line. Kept in the manifest alone.
   */
  description?: string;
  /**
   * The ticket that asked for the key: its number or its URL. Kept in the manifest alone.
   */
  ticket?: string;
  /**
   * Labels, such as `team: search`. Kept in the manifest alone. Those of `defaults` and of the key are merged.
   */
  labels?: {
    [k: string]: string | number | boolean;
  };
  /**
   * Where the secret is delivered.
   *
   * @minItems 1
   */
  deliver?: ManifestSink[];
  rotate?: ManifestRotation;
  /**
   * The checks that test the key: names of checks, modules, kinds or classes.
   */
  checks?: string[];
}
/**
 * Smart Routing. Omitted: not managed.
 */
export interface ManifestSmartRouting {
  /**
   * The Smart Routing tiers: opaque JSON, stored as is, or nothing for Smart Routing without tiers.
   */
  tiers?:
    | {
        [k: string]: unknown;
      }
    | unknown[]
    | string
    | number
    | boolean;
}
/**
 * Creates a successor at each interval; the predecessor ends after the overlap, once nobody uses it.
 */
export interface ManifestRotation {
  /**
   * The age at which a generation gets a successor. At least 1h.
   */
  every: string;
  /**
   * The time for which the predecessor lives on, at least.
   */
  overlap: string;
  /**
   * The time without use that a predecessor must show before it ends. Default: 24h, or 4 × `propagate`.
   */
  quiet?: string;
  /**
   * The most that a predecessor may spend. Omitted: what the budget leaves.
   */
  overlapBudget?:
    | {
        /**
         * Amount in US dollars, exact to the last digit.
         */
        usd: number | string;
      }
    | {
        /**
         * Amount in internal quota units of the gateway.
         */
        quota: number | string;
      };
}
/**
 * One key. An omitted field is not managed.
 */
export interface ManifestKey {
  /**
   * Set to false to disable the key. A new key is enabled unless this is false.
   */
  enabled?: boolean | ('true' | 'false');
  /**
   * One of the account’s groups; an empty string for the account’s own.
   */
  group?: string;
  /**
   * Retry failed requests in other groups. Only applies to automatic groups.
   */
  crossGroupRetry?: boolean | ('true' | 'false');
  /**
   * Model IDs that the key may use, or any. Omitted: not managed.
   */
  models?: 'any' | string[];
  /**
   * Addresses and canonical CIDR ranges that may use the key, or anywhere. Omitted: not managed.
   */
  allowIps?: 'anywhere' | string[];
  /**
   * Time of expiry with its offset, or never. Omitted: not managed.
   */
  expires?: 'never' | Date | string;
  budget?: ManifestBudget;
  smartRouting?: ManifestSmartRouting;
  /**
   * The team or person that answers for the key. Kept in the manifest alone.
   */
  owner?: string;
  /**
   * What the key is for, in one line. Kept in the manifest alone.
   */
  description?: string;
  /**
   * The ticket that asked for the key: its number or its URL. Kept in the manifest alone.
   */
  ticket?: string;
  /**
   * Labels, such as `team: search`. Kept in the manifest alone. Those of `defaults` and of the key are merged.
   */
  labels?: {
    [k: string]: string | number | boolean;
  };
  /**
   * Where the secret is delivered.
   *
   * @minItems 1
   */
  deliver?: ManifestSink[];
  rotate?: ManifestRotation;
  /**
   * The checks that test the key: names of checks, modules, kinds or classes.
   */
  checks?: string[];
  /**
   * Adopts the live key with this ID, whatever its name is. Requires its name.
   */
  id?: number | string;
  /**
   * The exact name of the live key that `id` adopts.
   */
  name?: string;
  /**
   * The former name, or the ID of the key. The ID and the secret stay.
   */
  renamedFrom?:
    | string
    | {
        id: number | string;
      };
}
/**
 * A smoke check. Other fields belong to its request, under the contract’s own names.
 */
export interface ManifestCheck {
  /**
   * What the check does.
   */
  module:
    | 'chat'
    | 'chat-stream'
    | 'responses'
    | 'responses-stream'
    | 'embeddings'
    | 'embeddings-native'
    | 'embeddings-batch'
    | 'count-tokens'
    | 'image'
    | 'image-edit'
    | 'image-edit-stream'
    | 'image-stream'
    | 'video'
    | 'model-list'
    | 'forbidden-model'
    | 'forbidden-address'
    | 'disabled-key'
    | 'expired-key'
    | 'exhausted-key'
    | 'spoofed-address';
  /**
   * The model to call. Omitted: one of the key’s own.
   */
  model?: string;
  /**
   * The model family, if the name of a video model does not determine it.
   */
  family?: string;
  expect?: ManifestExpect;
  /**
   * The number of retries after a failure: 0 to 5.
   */
  retries?: number | string;
  /**
   * The time limit of one attempt.
   */
  timeout?: string;
  /**
   * The cost class of the check. Default: that of its module.
   */
  schedule?: 'free' | 'cheap' | 'costly';
  [k: string]: unknown;
}
/**
 * Assertions about the answer of a check.
 */
export interface ManifestExpect {
  /**
   * Texts that the answer must contain, all of them. Case matters.
   */
  contains?: string | string[];
  /**
   * Regular expression that the answer must match.
   */
  matches?: string;
  /**
   * JSON Schema that the answer, read as JSON, must satisfy.
   */
  jsonSchema?: {
    [k: string]: unknown;
  };
  /**
   * Name of the tool that the answer must call.
   */
  toolCall?: string;
  /**
   * Exact number of dimensions of each vector.
   */
  dimensions?: number | string;
  /**
   * Minimum number of dimensions of each vector.
   */
  minDimensions?: number | string;
  /**
   * Minimum number of tokens in the count.
   */
  minInputTokens?: number | string;
  /**
   * Maximum number of tokens in the count.
   */
  maxInputTokens?: number | string;
  /**
   * Exact number of images in the answer.
   */
  count?: number | string;
  /**
   * File format: `png`, `jpeg` or `webp` of an image, `mp4` of a video.
   */
  format?: string;
  /**
   * Exact width in pixels.
   */
  width?: number | string;
  /**
   * Exact height in pixels.
   */
  height?: number | string;
  /**
   * Minimum width in pixels.
   */
  minWidth?: number | string;
  /**
   * Minimum height in pixels.
   */
  minHeight?: number | string;
  /**
   * Length of the video in seconds, within half a second.
   */
  seconds?: number | string;
  /**
   * `true` if the video must have sound, `false` if it must be silent.
   */
  audio?: boolean | ('true' | 'false');
  /**
   * Maximum time until the answer is complete, in milliseconds. For a video: until its task ends.
   */
  maxLatencyMs?: number | string;
  /**
   * Maximum time until the first byte of the answer, in milliseconds.
   */
  maxFirstByteMs?: number | string;
  /**
   * Maximum cost in US dollars, exact, according to the usage log.
   */
  maxCost?: number | string;
}
