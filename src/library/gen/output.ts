// Generated from the schema in scripts/generate/output by `npm run generate`. Do not edit.

/**
 * The output of a command with `--format json`: `kind` names the command.
 */
export type CommandOutput =
  | CommandLineOutput
  | KeysListOutput
  | KeysGetOutput
  | KeysRevealOutput
  | KeysEnableOutput
  | KeysDisableOutput
  | KeysDeleteOutput
  | KeysRenameOutput
  | KeysDedupeOutput
  | KeysIdentifyOutput
  | AccountShowOutput
  | AccountGroupsOutput
  | AccountModelsOutput
  | AccountRotateTokenOutput
  | PlanOutput
  | DriftOutput
  | ApplyOutput
  | DestroyOutput
  | CheckOutput
  | KeysRotateOutput
  | KeysRevokeOutput
  | UsageOutput
  | UsageLogOutput
  | InitOutput
  | ValidateOutput
  | ImportOutput
  | ConvertOutput
  | SchemaOutput
  | LockListOutput
  | LockBreakOutput
  | ProviderInstallOutput
  | ProviderSchemaOutput
  | AuditOutput
  | DoctorOutput
  | ConformanceOutput
  | GatewayOutput
  | CompletionOutput;
export type OutputDiagnosticCode =
  | 'manifest.unreadable'
  | 'manifest.no-files'
  | 'manifest.syntax'
  | 'manifest.unknown-field'
  | 'manifest.missing-field'
  | 'manifest.wrong-type'
  | 'manifest.invalid-value'
  | 'manifest.unsupported-version'
  | 'manifest.duplicate-key'
  | 'manifest.conflicting-field'
  | 'manifest.invalid-name'
  | 'manifest.invalid-ip-rule'
  | 'manifest.empty-allowlist'
  | 'manifest.invalid-amount'
  | 'manifest.duplicate-entry'
  | 'manifest.past-expiry'
  | 'manifest.invalid-rename'
  | 'manifest.no-effect'
  | 'manifest.outside-scope'
  | 'manifest.unset-variable'
  | 'manifest.unreadable-reference'
  | 'manifest.variable-not-allowed'
  | 'manifest.reference-not-allowed'
  | 'manifest.outside-folder'
  | 'manifest.shared-sink'
  | 'manifest.secret-in-manifest'
  | 'manifest.invalid-check'
  | 'manifest.unused-check'
  | 'manifest.unknown-check'
  | 'terraform.unresolved'
  | 'terraform.not-supported'
  | 'terraform.annotation'
  | 'terraform.several-accounts'
  | 'terraform.unfinished'
  | 'terraform.left-out'
  | 'expired-as-declared'
  | 'expired-undeclared'
  | 'exhausted-as-declared'
  | 'no-budget'
  | 'rotation-due'
  | 'rotation-waits'
  | 'old-generation'
  | 'quarantine-restarts'
  | 'budget-unverified'
  | 'log-incomplete'
  | 'former-use'
  | 'topped-up-by-hand'
  | 'case-differs'
  | 'not-supported'
  | 'not-held'
  | 'auto-groups-cleared'
  | 'odd-record'
  | 'key-limit'
  | 'groups-unverified'
  | 'gateway-not-asked'
  | 'models-unverified'
  | 'gateway.unreachable'
  | 'gateway.timeout'
  | 'gateway.connection-lost'
  | 'gateway.rate-limited'
  | 'gateway.unavailable'
  | 'gateway.not-json'
  | 'gateway.unexpected-shape'
  | 'gateway.refused'
  | 'gateway.unsupported'
  | 'gateway.key-limit'
  | 'gateway.not-found'
  | 'gateway.redirected'
  | 'gateway.indeterminate'
  | 'gateway.listing-moves'
  | 'gateway.interrupted'
  | 'gateway.no-channel'
  | 'gateway.upstream-refused'
  | 'gateway.overloaded'
  | 'gateway.no-price'
  | 'request.invalid'
  | 'request.refused'
  | 'key.refused'
  | 'key.model-not-allowed'
  | 'key.address-not-allowed'
  | 'key.group-not-allowed'
  | 'key.exhausted'
  | 'wallet.empty'
  | 'stream.broken'
  | 'video.unsettled'
  | 'media.damaged'
  | 'check.failed'
  | 'check.cost-cap'
  | 'credentials.refused'
  | 'credentials.banned'
  | 'credentials.missing'
  | 'credentials.other-account'
  | 'usage.invalid'
  | 'settings.conflicting'
  | 'settings.unconfirmed-origin'
  | 'manifest.invalid'
  | 'manifest.holds-references'
  | 'plan.ambiguous'
  | 'plan.no-such-key'
  | 'plan.not-held'
  | 'plan.stale'
  | 'plan.foreign'
  | 'plan.other-manifest'
  | 'plan.unexpected'
  | 'plan.unreadable'
  | 'plan.stale-adoption'
  | 'plan.holds-credential'
  | 'plan.too-large'
  | 'plan.amount-too-large'
  | 'plan.amount-too-small'
  | 'plan.usage-too-long'
  | 'guard.mass-change'
  | 'guard.last-key'
  | 'guard.protected'
  | 'guard.unknown-group'
  | 'guard.unknown-model'
  | 'guard.no-budget'
  | 'guard.policy'
  | 'guard.unconfirmed'
  | 'apply.locked'
  | 'apply.lock-lost'
  | 'apply.lock-unavailable'
  | 'apply.duplicate'
  | 'apply.incomplete'
  | 'apply.left-enabled'
  | 'apply.budget-unverified'
  | 'apply.not-kept'
  | 'apply.not-converged'
  | 'sink.foreign'
  | 'sink.not-allowed'
  | 'sink.unreachable'
  | 'sink.rate-limited'
  | 'sink.unauthorized'
  | 'sink.unexpected-answer'
  | 'sink.refused'
  | 'sink.unreadable'
  | 'sink.stale'
  | 'sink.not-kept'
  | 'sink.undelivered'
  | 'file.locked'
  | 'file.unwritable'
  | 'tool.missing-package'
  | 'tool.incomplete'
  | 'store.failed'
  | 'tool.defect';
export type OutputFaultCode =
  | 'gateway.unreachable'
  | 'gateway.timeout'
  | 'gateway.connection-lost'
  | 'gateway.rate-limited'
  | 'gateway.unavailable'
  | 'gateway.not-json'
  | 'gateway.unexpected-shape'
  | 'gateway.refused'
  | 'gateway.unsupported'
  | 'gateway.key-limit'
  | 'gateway.not-found'
  | 'gateway.redirected'
  | 'gateway.indeterminate'
  | 'gateway.listing-moves'
  | 'gateway.interrupted'
  | 'gateway.no-channel'
  | 'gateway.upstream-refused'
  | 'gateway.overloaded'
  | 'gateway.no-price'
  | 'request.invalid'
  | 'request.refused'
  | 'key.refused'
  | 'key.model-not-allowed'
  | 'key.address-not-allowed'
  | 'key.group-not-allowed'
  | 'key.exhausted'
  | 'wallet.empty'
  | 'stream.broken'
  | 'video.unsettled'
  | 'media.damaged'
  | 'check.failed'
  | 'check.cost-cap'
  | 'credentials.refused'
  | 'credentials.banned'
  | 'credentials.missing'
  | 'credentials.other-account'
  | 'usage.invalid'
  | 'settings.conflicting'
  | 'settings.unconfirmed-origin'
  | 'manifest.invalid'
  | 'manifest.holds-references'
  | 'plan.ambiguous'
  | 'plan.no-such-key'
  | 'plan.not-held'
  | 'plan.stale'
  | 'plan.foreign'
  | 'plan.other-manifest'
  | 'plan.unexpected'
  | 'plan.unreadable'
  | 'plan.stale-adoption'
  | 'plan.holds-credential'
  | 'plan.too-large'
  | 'plan.amount-too-large'
  | 'plan.amount-too-small'
  | 'plan.usage-too-long'
  | 'guard.mass-change'
  | 'guard.last-key'
  | 'guard.protected'
  | 'guard.unknown-group'
  | 'guard.unknown-model'
  | 'guard.no-budget'
  | 'guard.policy'
  | 'guard.unconfirmed'
  | 'apply.locked'
  | 'apply.lock-lost'
  | 'apply.lock-unavailable'
  | 'apply.duplicate'
  | 'apply.incomplete'
  | 'apply.left-enabled'
  | 'apply.budget-unverified'
  | 'apply.not-kept'
  | 'apply.not-converged'
  | 'sink.foreign'
  | 'sink.not-allowed'
  | 'sink.unreachable'
  | 'sink.rate-limited'
  | 'sink.unauthorized'
  | 'sink.unexpected-answer'
  | 'sink.refused'
  | 'sink.unreadable'
  | 'sink.stale'
  | 'sink.not-kept'
  | 'sink.undelivered'
  | 'file.locked'
  | 'file.unwritable'
  | 'tool.missing-package'
  | 'tool.incomplete'
  | 'store.failed'
  | 'tool.defect';
export type OutputKeyStatus = 'enabled' | 'disabled' | 'expired' | 'exhausted';
export type OutputEdit =
  | {
      field: 'name';
      before: string;
      after: string;
    }
  | {
      field: 'group';
      before: string;
      after: string;
    }
  | {
      field: 'crossGroupRetry';
      before: boolean;
      after: boolean;
    }
  | {
      field: 'models';
      before: string[] | null;
      after: string[] | null;
    }
  | {
      field: 'allowIps';
      before: string[] | null;
      after: string[] | null;
    }
  | {
      field: 'expires';
      before: number | null;
      after: number | null;
    }
  | {
      field: 'unlimited';
      before: boolean;
      after: boolean;
    }
  | {
      field: 'remain';
      before: number;
      after: number;
    }
  | {
      field: 'smartRouting';
      before: boolean;
      after: boolean;
    }
  | {
      field: 'smartRouteTiers';
      before: string;
      after: string;
    };
export type OutputChanges = (
  | {
      verb: 'create';
      name: string;
      settings: {
        name: string;
        group: string;
        crossGroupRetry: boolean;
        models: string[] | null;
        allowIps: string[] | null;
        expires: number | null;
        unlimited: boolean;
        remain: number;
        smartRouting: boolean;
        smartRouteTiers: string;
      };
      enabled: boolean;
      place?: OutputSavedPlace;
      metadata?: {
        owner?: string;
        description?: string;
        ticket?: string;
        labels?: {
          [k: string]: string;
        };
      };
      of?: string;
    }
  | {
      verb: 'rename';
      name: string;
      id: number;
      place?: OutputSavedPlace;
      metadata?: {
        owner?: string;
        description?: string;
        ticket?: string;
        labels?: {
          [k: string]: string;
        };
      };
      of?: string;
      from: string;
      /**
       * @minItems 1
       */
      edits: OutputEdit[];
      before: OutputSnapshot;
    }
  | {
      verb: 'update';
      name: string;
      id: number;
      place?: OutputSavedPlace;
      metadata?: {
        owner?: string;
        description?: string;
        ticket?: string;
        labels?: {
          [k: string]: string;
        };
      };
      of?: string;
      /**
       * @minItems 1
       */
      edits: OutputEdit[];
      before: OutputSnapshot;
    }
  | {
      verb: 'enable';
      name: string;
      id: number;
      place?: OutputSavedPlace;
      metadata?: {
        owner?: string;
        description?: string;
        ticket?: string;
        labels?: {
          [k: string]: string;
        };
      };
      of?: string;
      before: OutputSnapshot;
      reason: 'permitted' | 'base' | 'repaired' | 'redeclared';
    }
  | {
      verb: 'hold';
      name: string;
      id: number;
      place?: OutputSavedPlace;
      metadata?: {
        owner?: string;
        description?: string;
        ticket?: string;
        labels?: {
          [k: string]: string;
        };
      };
      of?: string;
      before: OutputSnapshot;
      reason: 'unpermitted' | 'still-expired' | 'still-exhausted';
    }
  | {
      verb: 'disable';
      name: string;
      id: number;
      place?: OutputSavedPlace;
      metadata?: {
        owner?: string;
        description?: string;
        ticket?: string;
        labels?: {
          [k: string]: string;
        };
      };
      of?: string;
      before: OutputSnapshot;
      reason: 'declared' | 'pruned' | 'quarantined' | 'rotated';
      quarantine?: {
        since?: number;
        until: number;
      };
    }
  | {
      verb: 'delete';
      name: string;
      id: number;
      place?: OutputSavedPlace;
      metadata?: {
        owner?: string;
        description?: string;
        ticket?: string;
        labels?: {
          [k: string]: string;
        };
      };
      of?: string;
      before: OutputSnapshot;
      reason: 'pruned' | 'quarantined' | 'destroyed' | 'rotated';
      quarantine?: {
        since?: number;
        until: number;
      };
    }
  | {
      verb: 'keep';
      name: string;
      id: number;
      place?: OutputSavedPlace;
      metadata?: {
        owner?: string;
        description?: string;
        ticket?: string;
        labels?: {
          [k: string]: string;
        };
      };
      of?: string;
    }
  | {
      verb: 'retain';
      name: string;
      id: number;
      place?: OutputSavedPlace;
      metadata?: {
        owner?: string;
        description?: string;
        ticket?: string;
        labels?: {
          [k: string]: string;
        };
      };
      of?: string;
      reason:
        | 'prune-never'
        | 'protected'
        | 'smart-routing'
        | 'rename-source'
        | 'already-disabled'
        | 'in-quarantine'
        | 'enabled-in-quarantine'
        | 'unmarkable'
        | 'overlap'
        | 'in-use'
        | 'use-unknown'
        | 'use-counts'
        | 'successor-disabled';
      quarantine?: {
        since?: number;
        until: number;
      };
    }
)[];
export type OutputPlanNotes = {
  code:
    | 'expired-as-declared'
    | 'expired-undeclared'
    | 'exhausted-as-declared'
    | 'no-budget'
    | 'rotation-due'
    | 'rotation-waits'
    | 'old-generation'
    | 'quarantine-restarts'
    | 'budget-unverified'
    | 'log-incomplete'
    | 'former-use'
    | 'topped-up-by-hand'
    | 'case-differs'
    | 'not-supported'
    | 'not-held'
    | 'auto-groups-cleared'
    | 'odd-record'
    | 'key-limit'
    | 'groups-unverified'
    | 'gateway-not-asked'
    | 'models-unverified';
  name?: string;
  message: string;
}[];
export type OutputDeliveries = (
  | {
      name: string;
      sink: string;
      kind: 'file' | 'age' | 'kubernetes' | 'vault' | 'gitlab' | 'github' | 'aws' | 'exec';
      place?: OutputSavedPlace;
      action: 'write';
      reason: 'new-key' | 'replaces' | 'rotated' | 'absent' | 'differs' | 'unknown' | 'audience';
      audience?: {
        now: string[];
        before?: string[];
      };
    }
  | {
      name: string;
      sink: string;
      kind: 'file' | 'age' | 'kubernetes' | 'vault' | 'gitlab' | 'github' | 'aws' | 'exec';
      place?: OutputSavedPlace;
      action: 'remove';
    }
  | {
      name: string;
      sink: string;
      kind: 'file' | 'age' | 'kubernetes' | 'vault' | 'gitlab' | 'github' | 'aws' | 'exec';
      place?: OutputSavedPlace;
      action: 'blocked';
      code: string;
      why: string;
    }
  | {
      name: string;
      sink: string;
      kind: 'file' | 'age' | 'kubernetes' | 'vault' | 'gitlab' | 'github' | 'aws' | 'exec';
      place?: OutputSavedPlace;
      action: 'withheld';
      why: string;
    }
)[];
export type OutputPolicies = {
  name: string;
  id?: number;
  of?: string;
  before:
    | {
        kind: 'unlimited';
      }
    | {
        kind: 'lifetime' | 'initial';
        amount:
          | {
              usd: string;
            }
          | {
              quota: number;
            };
      }
    | {
        kind: 'window';
        amount:
          | {
              usd: string;
            }
          | {
              quota: number;
            };
        per: string;
      }
    | {
        kind: 'top-up';
        amount:
          | {
              usd: string;
            }
          | {
              quota: number;
            };
        below:
          | {
              usd: string;
            }
          | {
              quota: number;
            };
      }
    | {
        kind: 'unmanaged' | 'none' | 'unknown';
      };
  after:
    | {
        kind: 'unlimited';
      }
    | {
        kind: 'lifetime' | 'initial';
        amount:
          | {
              usd: string;
            }
          | {
              quota: number;
            };
      }
    | {
        kind: 'window';
        amount:
          | {
              usd: string;
            }
          | {
              quota: number;
            };
        per: string;
      }
    | {
        kind: 'top-up';
        amount:
          | {
              usd: string;
            }
          | {
              quota: number;
            };
        below:
          | {
              usd: string;
            }
          | {
              quota: number;
            };
      }
    | {
        kind: 'unmanaged' | 'none' | 'unknown';
      };
  exposure: {
    before: {
      units: string;
      unbounded: number;
      unknown: number;
    };
    after: {
      units: string;
      unbounded: number;
      unknown: number;
    };
  };
}[];

export interface CommandLineOutput {
  kind: 'command-line';
  version: 1;
  data: null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputDiagnostic {
  severity: 'error' | 'warning' | 'info';
  code: OutputDiagnosticCode;
  message: string;
  path?: (string | number)[];
  data?: {
    [k: string]: unknown;
  };
  found?: string;
  expected?: string;
  hint?: string;
  remedy?: string;
  place?: OutputPlace;
  related?: {
    place: OutputPlace;
    message: string;
  }[];
}
export interface OutputPlace {
  file: string;
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
  /**
   * The path of the construct, or the address of the block.
   */
  construct?: string;
}
/**
 * What ended the command, or made one change fail.
 */
export interface OutputFault {
  code: OutputFaultCode;
  message: string;
  hint?: string;
  /**
   * Facts by code, such as `status` and `requestId`.
   */
  detail: {
    [k: string]: unknown;
  };
}
export interface KeysListOutput {
  kind: 'keys-list';
  version: 1;
  data: {
    keys: OutputListedKey[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputListedKey {
  id: number;
  name: string;
  group: string;
  crossGroupRetry: boolean;
  /**
   * null: every model.
   */
  models: string[] | null;
  /**
   * null: every address.
   */
  allowIps: string[] | null;
  expires: string | null;
  unlimited: boolean;
  remaining: OutputAmount;
  smartRouting: boolean;
  smartRouteTiers: string | boolean | string[] | null;
  status: OutputKeyStatus;
  storedStatus: OutputKeyStatus;
  used: OutputAmount | null;
  created: string | null;
  /**
   * An instant, `never`, or null where it is unknown.
   */
  lastUsed: string | null;
  masked: string;
  /**
   * What the record holds that no key should have.
   */
  odd?: {
    [k: string]: unknown;
  };
  managed: boolean;
  owner: string | null;
}
export interface OutputAmount {
  /**
   * Quota units.
   */
  quota: number;
  /**
   * US dollars, as an exact decimal.
   */
  usd: string;
}
export interface KeysGetOutput {
  kind: 'keys-get';
  version: 1;
  data: OutputKey | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputKey {
  id: number;
  name: string;
  group: string;
  crossGroupRetry: boolean;
  /**
   * null: every model.
   */
  models: string[] | null;
  /**
   * null: every address.
   */
  allowIps: string[] | null;
  expires: string | null;
  unlimited: boolean;
  remaining: OutputAmount;
  smartRouting: boolean;
  smartRouteTiers: string | boolean | string[] | null;
  status: OutputKeyStatus;
  storedStatus: OutputKeyStatus;
  used: OutputAmount | null;
  created: string | null;
  /**
   * An instant, `never`, or null where it is unknown.
   */
  lastUsed: string | null;
  masked: string;
  /**
   * What the record holds that no key should have.
   */
  odd?: {
    [k: string]: unknown;
  };
}
export interface KeysRevealOutput {
  kind: 'keys-reveal';
  version: 1;
  data: {
    keys: {
      id: number;
      name: string;
      secret: string;
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface KeysEnableOutput {
  kind: 'keys-enable';
  version: 1;
  data: {
    outcomes: OutputKeyOutcome[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputKeyOutcome {
  state: 'applied' | 'failed' | 'indeterminate' | 'left-enabled' | 'skipped' | 'unchanged';
  change: {
    verb: 'enable' | 'disable' | 'delete' | 'rename';
    name: string;
    id: number;
    from?: string;
  };
  reason?: string;
  fault?: OutputFault;
}
export interface KeysDisableOutput {
  kind: 'keys-disable';
  version: 1;
  data: {
    outcomes: OutputKeyOutcome[];
    declarations: {
      name: string;
      state: string;
      message: string;
      place?: OutputPlace;
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface KeysDeleteOutput {
  kind: 'keys-delete';
  version: 1;
  data: {
    outcomes: OutputKeyOutcome[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface KeysRenameOutput {
  kind: 'keys-rename';
  version: 1;
  data: {
    outcomes: OutputKeyOutcome[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface KeysDedupeOutput {
  kind: 'keys-dedupe';
  version: 1;
  data: {
    duplicates: {
      name: string;
      undecided: ('none-used' | 'several-used' | 'used-disabled' | 'unknown-use') | null;
      keys: {
        key: OutputKey;
        isUsed: boolean | null;
        lastUsed: string | null;
        isRemoved: boolean;
      }[];
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface KeysIdentifyOutput {
  kind: 'keys-identify';
  version: 1;
  data:
    | (
        | {
            key: null;
          }
        | {
            key: {
              id: number;
              name: string;
              liveName: string;
              status: OutputKeyStatus;
            };
            metadata: OutputMetadata;
            sinks: unknown[];
            disabled: boolean;
          }
      )
    | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputMetadata {
  owner?: string;
  description?: string;
  ticket?: string;
  labels?: {
    [k: string]: string;
  };
}
export interface AccountShowOutput {
  kind: 'account-show';
  version: 1;
  data: {
    url: string;
    userId: number;
    username?: string;
    group?: string;
    wallet: OutputAmount;
    quotaPerUnit: string;
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface AccountGroupsOutput {
  kind: 'account-groups';
  version: 1;
  data: {
    groups: {
      name: string;
      ratio?: string | number;
      description?: string;
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface AccountModelsOutput {
  kind: 'account-models';
  version: 1;
  data: {
    models: string[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface AccountRotateTokenOutput {
  kind: 'account-rotate-token';
  version: 1;
  data: {
    file: string;
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface PlanOutput {
  kind: 'plan';
  version: 1;
  data: {
    refusals: {
      code: OutputFaultCode;
      message: string;
      flag: string;
      names?: string[];
      /**
       * The rule of the policy.
       */
      rule?: string;
      /**
       * The field that the rule is about.
       */
      field?: string;
      expected?: string;
      hint?: string;
      place?: OutputPlace;
    }[];
    summary: OutputPlanSummary;
    kind: 'saved-plan';
    version: 2;
    account: {
      url: string;
      userId: number;
    };
    at: number;
    quotaPerUnit: string;
    changes: OutputChanges;
    notes: OutputPlanNotes;
    deliveries?: OutputDeliveries;
    policies: OutputPolicies;
    wallet?: number;
    only?: string[];
    labels?: {
      name: string;
      value?: string;
    }[];
    assumesLogComplete?: true;
    manifest?: {
      digest: string;
      commit?: string;
    };
    invisible: number;
    owned: number;
    fingerprint: string;
    checksum: string;
    digest: string;
    /**
     * The owners that the plan was limited to.
     */
    owners?: string[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputPlanSummary {
  pending: number;
  verbs: {
    hold: number;
    create: number;
    rename: number;
    update: number;
    enable: number;
    disable: number;
    delete: number;
    retain: number;
    keep: number;
  };
  /**
   * Keys outside the scope.
   */
  invisible: number;
  policiesChanged: number;
  exposure: {
    before: OutputExposure;
    after: OutputExposure;
  };
}
export interface OutputExposure {
  /**
   * Exact quota units, as text.
   */
  units: string;
  /**
   * US dollars, as an exact decimal.
   */
  usd: string;
  unbounded: number;
  unknown: number;
}
export interface OutputSavedPlace {
  file: string;
  line: number;
  column: number;
  endLine?: number;
  endColumn?: number;
  construct?: string;
}
export interface OutputSnapshot {
  name: string;
  group: string;
  crossGroupRetry: boolean;
  models: string[] | null;
  allowIps: string[] | null;
  expires: number | null;
  unlimited: boolean;
  remain: number;
  smartRouting: boolean;
  smartRouteTiers: string;
  id: number;
  status: 'enabled' | 'disabled' | 'expired' | 'exhausted';
  used?: number;
}
export interface DriftOutput {
  kind: 'drift';
  version: 1;
  data: {
    refusals: {
      code: OutputFaultCode;
      message: string;
      flag: string;
      names?: string[];
      /**
       * The rule of the policy.
       */
      rule?: string;
      /**
       * The field that the rule is about.
       */
      field?: string;
      expected?: string;
      hint?: string;
      place?: OutputPlace;
    }[];
    summary: OutputPlanSummary;
    kind: 'saved-plan';
    version: 2;
    account: {
      url: string;
      userId: number;
    };
    at: number;
    quotaPerUnit: string;
    changes: OutputChanges;
    notes: OutputPlanNotes;
    deliveries?: OutputDeliveries;
    policies: OutputPolicies;
    wallet?: number;
    only?: string[];
    labels?: {
      name: string;
      value?: string;
    }[];
    assumesLogComplete?: true;
    manifest?: {
      digest: string;
      commit?: string;
    };
    invisible: number;
    owned: number;
    fingerprint: string;
    checksum: string;
    digest: string;
    outlook?: {
      due: {
        name: string;
        id: number;
        declared: {
          /**
           * US dollars, as an exact decimal.
           */
          usd: string;
          /**
           * Quota units.
           */
          units: number;
        };
        live: {
          /**
           * US dollars, as an exact decimal.
           */
          usd: string;
          /**
           * Quota units.
           */
          units: number;
        };
      }[];
      unverified: {
        name: string;
        id: number;
        reason: string;
      }[];
      low: {
        name: string;
        id: number;
        remain: {
          /**
           * US dollars, as an exact decimal.
           */
          usd: string;
          /**
           * Quota units.
           */
          units: number;
        };
        threshold: {
          /**
           * US dollars, as an exact decimal.
           */
          usd: string;
          /**
           * Quota units.
           */
          units: number;
        };
      }[];
      expiring: {
        name: string;
        id: number;
        expires: number;
      }[];
    };
    owners?: {
      owner: string | null;
      notify: string[];
      keys: string[];
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface ApplyOutput {
  kind: 'apply';
  version: 1;
  data: OutputApplyReport | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputApplyReport {
  summary: {
    'left-enabled': number;
    applied: number;
    failed: number;
    indeterminate: number;
    skipped: number;
    planned: OutputPlanSummary;
  };
  outcomes: OutputOutcome[];
  deliveries: OutputDeliveryOutcome[];
  corrections: {
    name: string;
    id: number;
    /**
     * Quota units.
     */
    units: number;
    takenBack: boolean;
  }[];
  unverified: string[];
  moved: {
    name: string;
    id?: number;
    what: string;
  }[];
  checks: OutputCheckReport | null;
  interrupted: boolean;
  /**
   * null: the live state could not be read again.
   */
  converged: boolean | null;
  after: OutputPlanAfter | null;
  fatal: OutputFault | null;
}
export interface OutputOutcome {
  state: 'left-enabled' | 'applied' | 'failed' | 'indeterminate' | 'skipped';
  change: {
    verb: 'hold' | 'create' | 'rename' | 'update' | 'enable' | 'disable' | 'delete' | 'retain' | 'keep';
    name: string;
    /**
     * The declared name, where the key is a generation of it.
     */
    of?: string;
    id?: number;
    metadata?: OutputMetadata;
  };
  remark?: string;
  reason?: string;
  code?: string;
  fault?: OutputFault;
}
export interface OutputDeliveryOutcome {
  state: 'delivered' | 'removed' | 'failed' | 'indeterminate' | 'skipped';
  delivery: {
    action: string;
    name: string;
    sink: string;
    kind: string;
  };
  verified?: boolean;
  /**
   * The others who can read the secret in the sink.
   */
  remark?: string;
  reason?: string;
  fault?: OutputFault;
}
export interface OutputCheckReport {
  summary: {
    passed: number;
    failed: number;
    skipped: number;
    unprovable: number;
    flaky: number;
  };
  account: OutputAccount | null;
  quotaPerUnit: string | null;
  /**
   * An instant in ISO 8601, UTC.
   */
  startedAt: string;
  durationMs: number;
  cap: number | null;
  excess: number | null;
  capReached: boolean;
  interrupted: boolean;
  remaining: {
    [k: string]: number | null;
  };
  results: OutputCheckResult[];
  fatal: OutputFault | null;
}
export interface OutputAccount {
  url: string;
  userId: number;
}
export interface OutputCheckResult {
  key: string;
  keyId?: number;
  check: string;
  module: string;
  schedule: 'free' | 'cheap' | 'costly';
  model?: string;
  verdict: 'passed' | 'failed' | 'skipped' | 'unprovable';
  /**
   * Absent if the check passed.
   */
  reason?: string;
  hint?: string;
  remedy?: string;
  /**
   * The code of the fault that ended it.
   */
  code?: string;
  findings: {
    claim: string;
    holds: boolean;
    found?: string;
  }[];
  /**
   * 0: it never ran.
   */
  attempts: number;
  flaky: boolean;
  /**
   * An instant in ISO 8601, UTC.
   */
  startedAt?: string;
  durationMs?: number;
  firstByteMs?: number;
  cost: {
    /**
     * Quota units.
     */
    estimated?: number;
    estimateIsMaximum?: boolean;
    /**
     * Quota units.
     */
    charged?: number;
  };
  exchanges: {
    title: string;
    request: unknown;
    answer: unknown;
    status?: number;
    requestId?: string;
  }[];
  exhibits: {
    title: string;
    mediaType: string;
    bytes: number;
    facts?: {
      kind: 'image' | 'video' | 'audio';
      format: string;
      bytes: number;
      width?: number;
      height?: number;
      seconds?: number;
      fps?: number;
      videoCodec?: string | null;
      audioCodec?: string | null;
    };
  }[];
  taskId?: string;
}
export interface OutputPlanAfter {
  summary: OutputPlanSummary;
  kind: 'saved-plan';
  version: 2;
  account: {
    url: string;
    userId: number;
  };
  at: number;
  quotaPerUnit: string;
  changes: OutputChanges;
  notes: OutputPlanNotes;
  deliveries?: OutputDeliveries;
  policies: OutputPolicies;
  wallet?: number;
  only?: string[];
  labels?: {
    name: string;
    value?: string;
  }[];
  assumesLogComplete?: true;
  manifest?: {
    digest: string;
    commit?: string;
  };
  invisible: number;
  owned: number;
  fingerprint: string;
  checksum: string;
  /**
   * The owners that the plan was limited to.
   */
  owners?: string[];
}
export interface DestroyOutput {
  kind: 'destroy';
  version: 1;
  data: OutputApplyReport | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface CheckOutput {
  kind: 'check';
  version: 1;
  data: OutputCheckReport | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface KeysRotateOutput {
  kind: 'keys-rotate';
  version: 1;
  data: {
    reason?: string;
    runs: OutputApplyReport[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface KeysRevokeOutput {
  kind: 'keys-revoke';
  version: 1;
  data: {
    outcomes?: OutputKeyOutcome[];
    declarations?: {
      name: string;
      state: string;
      message: string;
      place?: OutputPlace;
    }[];
    reason?: string;
    runs?: OutputApplyReport[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface UsageOutput {
  kind: 'usage';
  version: 1;
  data: {
    /**
     * An instant in ISO 8601, UTC.
     */
    since: string;
    by: string;
    keys: OutputKeyUsage[];
    groups:
      | {
          name: string | null;
          requests: number;
          promptTokens: string;
          completionTokens: string;
          cost: OutputSum;
          /**
           * Quota units of each day, the oldest first.
           */
          days: string[];
        }[]
      | null;
    wallet: {
      balance: OutputSum | null;
      perDay: OutputSum;
      exhaustsAt: string | null;
    };
    log: {
      entries: number;
      /**
       * An instant in ISO 8601, UTC.
       */
      readSince: string;
      isCut: boolean;
    };
    findings: {
      kind: 'share' | 'exhausted' | 'projected';
      /**
       * Absent: the wallet.
       */
      name?: string;
      id?: number;
      text: string;
    }[];
    remarks: string[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputKeyUsage {
  name: string;
  id: number | null;
  exists: boolean;
  managed: boolean;
  owner: string | null;
  labels: {
    [k: string]: string;
  };
  requests: number;
  promptTokens: string;
  completionTokens: string;
  cost: OutputSum;
  /**
   * Quota units of each day, the oldest first.
   */
  days: string[];
  used: OutputSum | null;
  granted: OutputSum | null;
  remaining: OutputSum | 'unlimited' | null;
  window: string | null;
  refillsAt: string | null;
  perDay: OutputSum;
  exhaustsAt: string | null;
  lastUsed: string | null;
  /**
   * Whether the log has every request of the key.
   */
  log: string;
}
export interface OutputSum {
  /**
   * Exact quota units, as text.
   */
  units: string;
  /**
   * US dollars, as an exact decimal.
   */
  usd: string;
}
export interface UsageLogOutput {
  kind: 'usage-log';
  version: 1;
  data: {
    entries: OutputLogEntry[];
    isComplete: boolean;
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputLogEntry {
  /**
   * An instant in ISO 8601, UTC.
   */
  at: string;
  /**
   * The number of the type, if Keyplane does not know it.
   */
  type: string | number;
  key: {
    id: number | null;
    name: string;
  };
  model: string | null;
  group: string | null;
  cost: OutputAmount;
  /**
   * Tokens.
   */
  promptTokens: number | null;
  /**
   * Tokens.
   */
  completionTokens: number | null;
  seconds: number | null;
  streamed: boolean | null;
  path: string | null;
  ip: string | null;
  requestId: string | null;
  taskId: string | null;
  note: string | null;
}
export interface InitOutput {
  kind: 'init';
  version: 1;
  data: {
    written: string[];
    next?: string[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface ValidateOutput {
  kind: 'validate';
  version: 1;
  data:
    | (
        | {
            valid: false;
          }
        | {
            valid: true;
            files: string[];
            keys: number;
            withoutBudget: string[];
            gateway?: string | null;
            isUnreadable?: boolean;
            notKept?: {
              key: string;
              field: string;
              problem: string;
            }[];
          }
      )
    | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface ImportOutput {
  kind: 'import';
  version: 1;
  data: {
    manifest: string;
    keys: number;
    skipped: {
      id: number;
      name: string;
      reason: string;
    }[];
    leftOut: {
      what: string;
      key?: string;
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface ConvertOutput {
  kind: 'convert';
  version: 1;
  data: {
    language: 'yaml' | 'hcl' | 'hcl-json' | 'cdk';
    text: string;
    leftOut: {
      what: string;
      key?: string;
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface SchemaOutput {
  kind: 'schema';
  version: 1;
  data: {
    [k: string]: unknown;
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface LockListOutput {
  kind: 'lock-list';
  version: 1;
  data: {
    claims: {
      id: number;
      readable: boolean;
      process?: number;
      host?: string;
      run?: string;
      since?: number;
      renewals?: number;
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface LockBreakOutput {
  kind: 'lock-break';
  version: 1;
  data: {
    removed: {
      id: number;
      readable: boolean;
      process?: number;
      host?: string;
      run?: string;
      since?: number;
      renewals?: number;
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface ProviderInstallOutput {
  kind: 'provider-install';
  version: 1;
  data: {
    version: string;
    folders: {
      folder: string;
      placed: 'written' | 'replaced' | 'unchanged';
    }[];
    otherVersions: string[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface ProviderSchemaOutput {
  kind: 'provider-schema';
  version: 1;
  data: {
    [k: string]: unknown;
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface AuditOutput {
  kind: 'audit';
  version: 1;
  data: {
    findings: OutputAuditFinding[];
    waived: OutputAuditFinding[];
    unmatchedWaivers: {
      rule: string;
      keys: string;
      reason: string;
      until: string;
      place?: OutputPlace;
    }[];
    hidden: number;
    audited: number;
    inactive: number;
    hasManifest: boolean;
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface OutputAuditFinding {
  rule: string;
  severity: 'low' | 'medium' | 'high';
  name: string;
  id?: number;
  message: string;
  remedy: string;
  owner?: string;
  place?: OutputPlace;
  waiver?: {
    reason: string;
    until: string;
  };
}
export interface DoctorOutput {
  kind: 'doctor';
  version: 1;
  data: {
    healthy: boolean;
    findings: {
      check: string;
      state: 'ok' | 'warning' | 'failed' | 'skipped';
      says: string;
      hint?: string;
      exit?: number;
    }[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface ConformanceOutput {
  kind: 'conformance';
  version: 1;
  data: {
    url: string;
    level: string;
    findings: {
      id: string;
      level: string;
      title: string;
      verdict: 'conforms' | 'known-deviation' | 'unknown-deviation' | 'unprovable' | 'engine-error';
      observed?: unknown;
      meaning: string;
      ms: number;
    }[];
    leftovers: string[];
    requests: number;
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface GatewayOutput {
  kind: 'gateway';
  version: 1;
  data: {
    url: string;
    accounts: {
      userId: number;
      accessToken: string;
    }[];
    unplayed?: string[];
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
export interface CompletionOutput {
  kind: 'completion';
  version: 1;
  data: {
    script: string;
  } | null;
  /**
   * Diagnostics about the manifest.
   */
  diagnostics: OutputDiagnostic[];
  fault?: OutputFault;
}
