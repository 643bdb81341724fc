// @ts-nocheck: generated from the provider's schema by `npm run generate`. Do not edit.
// https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktn from 'cdktn';

// Configuration

export interface KeyplaneProviderConfig {
  /**
  * System access token. It can be ephemeral, and is never stored. Otherwise `KEYPLANE_ACCESS_TOKEN`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#access_token KeyplaneProvider#access_token}
  */
  readonly accessToken?: string;
  /**
  * Allows groups that the account does not seem to have.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#allow_unknown_groups KeyplaneProvider#allow_unknown_groups}
  */
  readonly allowUnknownGroups?: boolean | cdktn.IResolvable;
  /**
  * Allows models that the account does not seem to have. Models are verified only if `models_key` or `KEYPLANE_MODELS_KEY` is an API key that may use every model.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#allow_unknown_models KeyplaneProvider#allow_unknown_models}
  */
  readonly allowUnknownModels?: boolean | cdktn.IResolvable;
  /**
  * Raises budgets as far as the usage log asks for, although nothing shows that the log has an entry for all that was spent.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#assume_log_complete KeyplaneProvider#assume_log_complete}
  */
  readonly assumeLogComplete?: boolean | cdktn.IResolvable;
  /**
  * PEM file of certificate authorities to trust in addition to the system’s. Otherwise `KEYPLANE_CA_FILE`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#ca_file KeyplaneProvider#ca_file}
  */
  readonly caFile?: string;
  /**
  * Profile of the gateway: `contract`, `deployed`, `deployed@1.0`, or the path of a profile file. Otherwise `KEYPLANE_GATEWAY_PROFILE`, or recognized by its answers.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#gateway_profile KeyplaneProvider#gateway_profile}
  */
  readonly gatewayProfile?: string;
  /**
  * Keeps other runs on every machine from writing to the account from the first write until Terraform ends (`gateway`, the default), or not (`none`). Otherwise `KEYPLANE_LOCK`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#lock KeyplaneProvider#lock}
  */
  readonly lock?: string;
  /**
  * Longest wait for another run to finish. `0s` fails immediately. Default: `10m`. Otherwise `KEYPLANE_LOCK_TIMEOUT`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#lock_timeout KeyplaneProvider#lock_timeout}
  */
  readonly lockTimeout?: string;
  /**
  * Maximum number of concurrent requests. Otherwise `KEYPLANE_CONCURRENCY`. Default: 8.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#max_concurrency KeyplaneProvider#max_concurrency}
  */
  readonly maxConcurrency?: number;
  /**
  * Maximum number of pages of the usage log to read for budgets. Default: 2000.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#max_log_pages KeyplaneProvider#max_log_pages}
  */
  readonly maxLogPages?: number;
  /**
  * Longest wait of one request for rate limits of the gateway, such as `2m`: then it fails, and the error reports how long the limit lasts. `0s` fails immediately. Default: `10m`. Otherwise `KEYPLANE_MAX_WAIT`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#max_wait KeyplaneProvider#max_wait}
  */
  readonly maxWait?: string;
  /**
  * API key (`sk-…`) that may use every model, to verify and list models with. It can be ephemeral, and is never stored. Otherwise `KEYPLANE_MODELS_KEY`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#models_key KeyplaneProvider#models_key}
  */
  readonly modelsKey?: string;
  /**
  * Time to wait for a create whose response was lost, before it counts as not made. `0s` disables the wait. Default: `2m`. Otherwise `KEYPLANE_SETTLE`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#settle KeyplaneProvider#settle}
  */
  readonly settle?: string;
  /**
  * Time limit for one request, such as `30s`, the default. Otherwise `KEYPLANE_TIMEOUT`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#timeout KeyplaneProvider#timeout}
  */
  readonly timeout?: string;
  /**
  * Base URL of the gateway. Otherwise `KEYPLANE_URL`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#url KeyplaneProvider#url}
  */
  readonly url?: string;
  /**
  * Numeric user ID that the access token belongs to. Otherwise `KEYPLANE_USER_ID`, or the one that the gateway reports, where it answers without one.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#user_id KeyplaneProvider#user_id}
  */
  readonly userId?: number;
  /**
  * Alias name
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#alias KeyplaneProvider#alias}
  */
  readonly alias?: string;
}

import { KeyplaneProviderFunctions } from '../provider-functions/index.ts';
/**
* Represents a {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs keyplane}
*/
export class KeyplaneProvider extends cdktn.TerraformProvider {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "keyplane";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTN code for importing a KeyplaneProvider resource upon running "cdktn plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the KeyplaneProvider to import
  * @param importFromId The id of the existing KeyplaneProvider that should be imported. Refer to the {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the KeyplaneProvider to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktn.TerraformProvider) {
        return new cdktn.ImportableResource(scope, importToId, { terraformResourceType: "keyplane", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs keyplane} Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options KeyplaneProviderConfig = {}
  */
  public constructor(scope: Construct, id: string, config: KeyplaneProviderConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'keyplane',
      terraformGeneratorMetadata: {
        providerName: 'keyplane',
        providerVersion: '0.0.1'
      },
      terraformProviderSource: 'registry.terraform.io/keyplane/keyplane'
    });
    this._accessToken = config.accessToken;
    this._allowUnknownGroups = config.allowUnknownGroups;
    this._allowUnknownModels = config.allowUnknownModels;
    this._assumeLogComplete = config.assumeLogComplete;
    this._caFile = config.caFile;
    this._gatewayProfile = config.gatewayProfile;
    this._lock = config.lock;
    this._lockTimeout = config.lockTimeout;
    this._maxConcurrency = config.maxConcurrency;
    this._maxLogPages = config.maxLogPages;
    this._maxWait = config.maxWait;
    this._modelsKey = config.modelsKey;
    this._settle = config.settle;
    this._timeout = config.timeout;
    this._url = config.url;
    this._userId = config.userId;
    this._alias = config.alias;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // access_token - computed: false, optional: true, required: false
  private _accessToken?: string;
  public get accessToken() {
    return this._accessToken;
  }
  public set accessToken(value: string | undefined) {
    this._accessToken = value;
  }
  public resetAccessToken() {
    this._accessToken = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get accessTokenInput() {
    return this._accessToken;
  }

  // allow_unknown_groups - computed: false, optional: true, required: false
  private _allowUnknownGroups?: boolean | cdktn.IResolvable;
  public get allowUnknownGroups() {
    return this._allowUnknownGroups;
  }
  public set allowUnknownGroups(value: boolean | cdktn.IResolvable | undefined) {
    this._allowUnknownGroups = value;
  }
  public resetAllowUnknownGroups() {
    this._allowUnknownGroups = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowUnknownGroupsInput() {
    return this._allowUnknownGroups;
  }

  // allow_unknown_models - computed: false, optional: true, required: false
  private _allowUnknownModels?: boolean | cdktn.IResolvable;
  public get allowUnknownModels() {
    return this._allowUnknownModels;
  }
  public set allowUnknownModels(value: boolean | cdktn.IResolvable | undefined) {
    this._allowUnknownModels = value;
  }
  public resetAllowUnknownModels() {
    this._allowUnknownModels = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowUnknownModelsInput() {
    return this._allowUnknownModels;
  }

  // assume_log_complete - computed: false, optional: true, required: false
  private _assumeLogComplete?: boolean | cdktn.IResolvable;
  public get assumeLogComplete() {
    return this._assumeLogComplete;
  }
  public set assumeLogComplete(value: boolean | cdktn.IResolvable | undefined) {
    this._assumeLogComplete = value;
  }
  public resetAssumeLogComplete() {
    this._assumeLogComplete = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get assumeLogCompleteInput() {
    return this._assumeLogComplete;
  }

  // ca_file - computed: false, optional: true, required: false
  private _caFile?: string;
  public get caFile() {
    return this._caFile;
  }
  public set caFile(value: string | undefined) {
    this._caFile = value;
  }
  public resetCaFile() {
    this._caFile = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get caFileInput() {
    return this._caFile;
  }

  // gateway_profile - computed: false, optional: true, required: false
  private _gatewayProfile?: string;
  public get gatewayProfile() {
    return this._gatewayProfile;
  }
  public set gatewayProfile(value: string | undefined) {
    this._gatewayProfile = value;
  }
  public resetGatewayProfile() {
    this._gatewayProfile = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get gatewayProfileInput() {
    return this._gatewayProfile;
  }

  // lock - computed: false, optional: true, required: false
  private _lock?: string;
  public get lock() {
    return this._lock;
  }
  public set lock(value: string | undefined) {
    this._lock = value;
  }
  public resetLock() {
    this._lock = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get lockInput() {
    return this._lock;
  }

  // lock_timeout - computed: false, optional: true, required: false
  private _lockTimeout?: string;
  public get lockTimeout() {
    return this._lockTimeout;
  }
  public set lockTimeout(value: string | undefined) {
    this._lockTimeout = value;
  }
  public resetLockTimeout() {
    this._lockTimeout = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get lockTimeoutInput() {
    return this._lockTimeout;
  }

  // max_concurrency - computed: false, optional: true, required: false
  private _maxConcurrency?: number;
  public get maxConcurrency() {
    return this._maxConcurrency;
  }
  public set maxConcurrency(value: number | undefined) {
    this._maxConcurrency = value;
  }
  public resetMaxConcurrency() {
    this._maxConcurrency = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get maxConcurrencyInput() {
    return this._maxConcurrency;
  }

  // max_log_pages - computed: false, optional: true, required: false
  private _maxLogPages?: number;
  public get maxLogPages() {
    return this._maxLogPages;
  }
  public set maxLogPages(value: number | undefined) {
    this._maxLogPages = value;
  }
  public resetMaxLogPages() {
    this._maxLogPages = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get maxLogPagesInput() {
    return this._maxLogPages;
  }

  // max_wait - computed: false, optional: true, required: false
  private _maxWait?: string;
  public get maxWait() {
    return this._maxWait;
  }
  public set maxWait(value: string | undefined) {
    this._maxWait = value;
  }
  public resetMaxWait() {
    this._maxWait = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get maxWaitInput() {
    return this._maxWait;
  }

  // models_key - computed: false, optional: true, required: false
  private _modelsKey?: string;
  public get modelsKey() {
    return this._modelsKey;
  }
  public set modelsKey(value: string | undefined) {
    this._modelsKey = value;
  }
  public resetModelsKey() {
    this._modelsKey = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get modelsKeyInput() {
    return this._modelsKey;
  }

  // settle - computed: false, optional: true, required: false
  private _settle?: string;
  public get settle() {
    return this._settle;
  }
  public set settle(value: string | undefined) {
    this._settle = value;
  }
  public resetSettle() {
    this._settle = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get settleInput() {
    return this._settle;
  }

  // timeout - computed: false, optional: true, required: false
  private _timeout?: string;
  public get timeout() {
    return this._timeout;
  }
  public set timeout(value: string | undefined) {
    this._timeout = value;
  }
  public resetTimeout() {
    this._timeout = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get timeoutInput() {
    return this._timeout;
  }

  // url - computed: false, optional: true, required: false
  private _url?: string;
  public get url() {
    return this._url;
  }
  public set url(value: string | undefined) {
    this._url = value;
  }
  public resetUrl() {
    this._url = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get urlInput() {
    return this._url;
  }

  // user_id - computed: false, optional: true, required: false
  private _userId?: number;
  public get userId() {
    return this._userId;
  }
  public set userId(value: number | undefined) {
    this._userId = value;
  }
  public resetUserId() {
    this._userId = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get userIdInput() {
    return this._userId;
  }

  // alias - computed: false, optional: true, required: false
  private _alias?: string;
  public get alias() {
    return this._alias;
  }
  public set alias(value: string | undefined) {
    this._alias = value;
  }
  public resetAlias() {
    this._alias = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get aliasInput() {
    return this._alias;
  }

  // ==========================
  // PROVIDER-DEFINED FUNCTIONS
  // ==========================
  private _functions?: KeyplaneProviderFunctions;

  /**
  * Provider-defined functions of the keyplane provider.
  */
  public get functions(): KeyplaneProviderFunctions {
    if (!this._functions) {
      this._functions = new KeyplaneProviderFunctions(this.terraformResourceType);
    }
    return this._functions;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      access_token: cdktn.stringToTerraform(this._accessToken),
      allow_unknown_groups: cdktn.booleanToTerraform(this._allowUnknownGroups),
      allow_unknown_models: cdktn.booleanToTerraform(this._allowUnknownModels),
      assume_log_complete: cdktn.booleanToTerraform(this._assumeLogComplete),
      ca_file: cdktn.stringToTerraform(this._caFile),
      gateway_profile: cdktn.stringToTerraform(this._gatewayProfile),
      lock: cdktn.stringToTerraform(this._lock),
      lock_timeout: cdktn.stringToTerraform(this._lockTimeout),
      max_concurrency: cdktn.numberToTerraform(this._maxConcurrency),
      max_log_pages: cdktn.numberToTerraform(this._maxLogPages),
      max_wait: cdktn.stringToTerraform(this._maxWait),
      models_key: cdktn.stringToTerraform(this._modelsKey),
      settle: cdktn.stringToTerraform(this._settle),
      timeout: cdktn.stringToTerraform(this._timeout),
      url: cdktn.stringToTerraform(this._url),
      user_id: cdktn.numberToTerraform(this._userId),
      alias: cdktn.stringToTerraform(this._alias),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      access_token: {
        value: cdktn.stringToHclTerraform(this._accessToken),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      allow_unknown_groups: {
        value: cdktn.booleanToHclTerraform(this._allowUnknownGroups),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      allow_unknown_models: {
        value: cdktn.booleanToHclTerraform(this._allowUnknownModels),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      assume_log_complete: {
        value: cdktn.booleanToHclTerraform(this._assumeLogComplete),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      ca_file: {
        value: cdktn.stringToHclTerraform(this._caFile),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      gateway_profile: {
        value: cdktn.stringToHclTerraform(this._gatewayProfile),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      lock: {
        value: cdktn.stringToHclTerraform(this._lock),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      lock_timeout: {
        value: cdktn.stringToHclTerraform(this._lockTimeout),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      max_concurrency: {
        value: cdktn.numberToHclTerraform(this._maxConcurrency),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      max_log_pages: {
        value: cdktn.numberToHclTerraform(this._maxLogPages),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      max_wait: {
        value: cdktn.stringToHclTerraform(this._maxWait),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      models_key: {
        value: cdktn.stringToHclTerraform(this._modelsKey),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      settle: {
        value: cdktn.stringToHclTerraform(this._settle),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      timeout: {
        value: cdktn.stringToHclTerraform(this._timeout),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      url: {
        value: cdktn.stringToHclTerraform(this._url),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      user_id: {
        value: cdktn.numberToHclTerraform(this._userId),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      alias: {
        value: cdktn.stringToHclTerraform(this._alias),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
