// @ts-nocheck: generated from the provider's schema by `npm run generate`. Do not edit.
// https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface ApiKeyConfig extends cdktf.TerraformMetaArguments {
  /**
  * Addresses and canonical CIDR ranges that may use the key, or anywhere. Omitted: not managed. Write `["anywhere"]` for no restriction.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#allow_ips ApiKey#allow_ips}
  */
  readonly allowIps?: string[];
  /**
  * The amount that the key can spend. Omitted: not managed. One of `{ unlimited = true }`, `{ usd = 25, per = "lifetime" }` (everything that it may ever spend), `{ usd = 25, per = "month" }`, `{ usd = 25, below = { usd = 5 } }`, `{ usd = 25, initial = true }`; `quota` instead of `usd` counts in units.
  *
  * ~> Terraform drops misspelled names within an object. Every budget states when it refills, so that one without the misspelled part is an error.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#budget ApiKey#budget}
  */
  readonly budget?: ApiKeyBudget;
  /**
  * Retry failed requests in other groups. Only applies to automatic groups. Omitted: not managed.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#cross_group_retry ApiKey#cross_group_retry}
  */
  readonly crossGroupRetry?: boolean | cdktf.IResolvable;
  /**
  * Set to false to disable the key. A new key is enabled unless this is false. Set to true to enable it, whoever disabled it. Omitted: not managed; a key that someone disables stays disabled.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#enabled ApiKey#enabled}
  */
  readonly enabled?: boolean | cdktf.IResolvable;
  /**
  * Time of expiry with its offset, or never. Omitted: not managed. `2027-03-31T00:00:00Z` or `never`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#expires_at ApiKey#expires_at}
  */
  readonly expiresAt?: string;
  /**
  * One of the account’s groups; an empty string for the account’s own. Omitted: not managed.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#group ApiKey#group}
  */
  readonly group?: string;
  /**
  * Model IDs that the key may use, or any. Omitted: not managed. Write `["any"]` for no restriction.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#models ApiKey#models}
  */
  readonly models?: string[];
  /**
  * Name of the key: 1 to 50 characters and at most 50 bytes. Another name renames the key, which keeps its ID and secret. A new key needs a name, or a `name_prefix`. Omitted: not managed.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#name ApiKey#name}
  */
  readonly name?: string;
  /**
  * Generates the name: this, the day of creation and a random word, at most 50 bytes together. Instead of `name`. A key that is replaced gets another name, so that `create_before_destroy` works. A key whose name begins with it already keeps its name; another prefix renames the key, which keeps its ID and secret.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#name_prefix ApiKey#name_prefix}
  */
  readonly namePrefix?: string;
  /**
  * What happens to the key when Terraform destroys or replaces the resource: `delete`, the default; `disable`, which keeps it at the gateway and disabled; or `abandon`, which leaves it as it is, and enabled. The value of the last apply counts.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#on_destroy ApiKey#on_destroy}
  */
  readonly onDestroy?: string;
  /**
  * Arbitrary values, such as the output of `time_rotating`. If one of them changes, or is added or removed, the key is replaced by a new one, with another credential and its whole budget. To add the attribute to a key, or to remove it, replaces nothing. The provider `random` calls this `keepers`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#rotate_when_changed ApiKey#rotate_when_changed}
  */
  readonly rotateWhenChanged?: { [key: string]: string };
  /**
  * The Smart Routing tiers: opaque JSON, stored as is, or nothing for Smart Routing without tiers. Omitted: not managed. Write it with `jsonencode`; an empty string is Smart Routing without tiers.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#smart_routing_tiers ApiKey#smart_routing_tiers}
  */
  readonly smartRoutingTiers?: string;
  /**
  * rotation block
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#rotation ApiKey#rotation}
  */
  readonly rotation?: ApiKeyRotation;
  /**
  * timeouts block
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#timeouts ApiKey#timeouts}
  */
  readonly timeouts?: ApiKeyTimeouts;
}
export interface ApiKeyBudgetBelow {
  /**
  * Amount in internal quota units of the gateway.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#quota ApiKey#quota}
  */
  readonly quota?: number;
  /**
  * Amount in US dollars, exact to the last digit.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#usd ApiKey#usd}
  */
  readonly usd?: number;
}

export function apiKeyBudgetBelowToTerraform(struct?: ApiKeyBudgetBelow | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    quota: cdktf.numberToTerraform(struct!.quota),
    usd: cdktf.numberToTerraform(struct!.usd),
  }
}


export function apiKeyBudgetBelowToHclTerraform(struct?: ApiKeyBudgetBelow | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    quota: {
      value: cdktf.numberToHclTerraform(struct!.quota),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    usd: {
      value: cdktf.numberToHclTerraform(struct!.usd),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class ApiKeyBudgetBelowOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): ApiKeyBudgetBelow | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._quota !== undefined) {
      hasAnyValues = true;
      internalValueResult.quota = this._quota;
    }
    if (this._usd !== undefined) {
      hasAnyValues = true;
      internalValueResult.usd = this._usd;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: ApiKeyBudgetBelow | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._quota = undefined;
      this._usd = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._quota = value.quota;
      this._usd = value.usd;
    }
  }

  // quota - computed: true, optional: true, required: false
  private _quota?: number;
  public get quota() {
    return this.getNumberAttribute('quota');
  }
  public set quota(value: number) {
    this._quota = value;
  }
  public resetQuota() {
    this._quota = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get quotaInput() {
    return this._quota;
  }

  // usd - computed: true, optional: true, required: false
  private _usd?: number;
  public get usd() {
    return this.getNumberAttribute('usd');
  }
  public set usd(value: number) {
    this._usd = value;
  }
  public resetUsd() {
    this._usd = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get usdInput() {
    return this._usd;
  }
}
export interface ApiKeyBudget {
  /**
  * Top up to the budget when less than this remains.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#below ApiKey#below}
  */
  readonly below?: ApiKeyBudgetBelow;
  /**
  * Set the budget only when the key is created.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#initial ApiKey#initial}
  */
  readonly initial?: boolean | cdktf.IResolvable;
  /**
  * Allowance for each time window, in UTC: hour, day, week, month, or a number of days such as 7d. A budget that is never refilled: lifetime.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#per ApiKey#per}
  */
  readonly per?: string;
  /**
  * Amount in internal quota units of the gateway.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#quota ApiKey#quota}
  */
  readonly quota?: number;
  /**
  * No ceiling for this key.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#unlimited ApiKey#unlimited}
  */
  readonly unlimited?: boolean | cdktf.IResolvable;
  /**
  * Amount in US dollars, exact to the last digit.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#usd ApiKey#usd}
  */
  readonly usd?: number;
}

export function apiKeyBudgetToTerraform(struct?: ApiKeyBudget | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    below: apiKeyBudgetBelowToTerraform(struct!.below),
    initial: cdktf.booleanToTerraform(struct!.initial),
    per: cdktf.stringToTerraform(struct!.per),
    quota: cdktf.numberToTerraform(struct!.quota),
    unlimited: cdktf.booleanToTerraform(struct!.unlimited),
    usd: cdktf.numberToTerraform(struct!.usd),
  }
}


export function apiKeyBudgetToHclTerraform(struct?: ApiKeyBudget | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    below: {
      value: apiKeyBudgetBelowToHclTerraform(struct!.below),
      isBlock: true,
      type: "struct",
      storageClassType: "ApiKeyBudgetBelow",
    },
    initial: {
      value: cdktf.booleanToHclTerraform(struct!.initial),
      isBlock: false,
      type: "simple",
      storageClassType: "boolean",
    },
    per: {
      value: cdktf.stringToHclTerraform(struct!.per),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    quota: {
      value: cdktf.numberToHclTerraform(struct!.quota),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
    unlimited: {
      value: cdktf.booleanToHclTerraform(struct!.unlimited),
      isBlock: false,
      type: "simple",
      storageClassType: "boolean",
    },
    usd: {
      value: cdktf.numberToHclTerraform(struct!.usd),
      isBlock: false,
      type: "simple",
      storageClassType: "number",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class ApiKeyBudgetOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): ApiKeyBudget | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._below?.internalValue !== undefined) {
      hasAnyValues = true;
      internalValueResult.below = this._below?.internalValue;
    }
    if (this._initial !== undefined) {
      hasAnyValues = true;
      internalValueResult.initial = this._initial;
    }
    if (this._per !== undefined) {
      hasAnyValues = true;
      internalValueResult.per = this._per;
    }
    if (this._quota !== undefined) {
      hasAnyValues = true;
      internalValueResult.quota = this._quota;
    }
    if (this._unlimited !== undefined) {
      hasAnyValues = true;
      internalValueResult.unlimited = this._unlimited;
    }
    if (this._usd !== undefined) {
      hasAnyValues = true;
      internalValueResult.usd = this._usd;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: ApiKeyBudget | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._below.internalValue = undefined;
      this._initial = undefined;
      this._per = undefined;
      this._quota = undefined;
      this._unlimited = undefined;
      this._usd = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._below.internalValue = value.below;
      this._initial = value.initial;
      this._per = value.per;
      this._quota = value.quota;
      this._unlimited = value.unlimited;
      this._usd = value.usd;
    }
  }

  // below - computed: true, optional: true, required: false
  private _below = new ApiKeyBudgetBelowOutputReference(this, "below");
  public get below() {
    return this._below;
  }
  public putBelow(value: ApiKeyBudgetBelow) {
    this._below.internalValue = value;
  }
  public resetBelow() {
    this._below.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get belowInput() {
    return this._below.internalValue;
  }

  // initial - computed: true, optional: true, required: false
  private _initial?: boolean | cdktf.IResolvable;
  public get initial() {
    return this.getBooleanAttribute('initial');
  }
  public set initial(value: boolean | cdktf.IResolvable) {
    this._initial = value;
  }
  public resetInitial() {
    this._initial = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get initialInput() {
    return this._initial;
  }

  // per - computed: true, optional: true, required: false
  private _per?: string;
  public get per() {
    return this.getStringAttribute('per');
  }
  public set per(value: string) {
    this._per = value;
  }
  public resetPer() {
    this._per = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get perInput() {
    return this._per;
  }

  // quota - computed: true, optional: true, required: false
  private _quota?: number;
  public get quota() {
    return this.getNumberAttribute('quota');
  }
  public set quota(value: number) {
    this._quota = value;
  }
  public resetQuota() {
    this._quota = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get quotaInput() {
    return this._quota;
  }

  // unlimited - computed: true, optional: true, required: false
  private _unlimited?: boolean | cdktf.IResolvable;
  public get unlimited() {
    return this.getBooleanAttribute('unlimited');
  }
  public set unlimited(value: boolean | cdktf.IResolvable) {
    this._unlimited = value;
  }
  public resetUnlimited() {
    this._unlimited = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get unlimitedInput() {
    return this._unlimited;
  }

  // usd - computed: true, optional: true, required: false
  private _usd?: number;
  public get usd() {
    return this.getNumberAttribute('usd');
  }
  public set usd(value: number) {
    this._usd = value;
  }
  public resetUsd() {
    this._usd = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get usdInput() {
    return this._usd;
  }
}
export interface ApiKeyRotation {
  /**
  * The age at which the key gets a successor, such as `90d`. At least `1h`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#every ApiKey#every}
  */
  readonly every: string;
  /**
  * The time for which the former key lives on, at least, such as `7d`. Less than `every`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#overlap ApiKey#overlap}
  */
  readonly overlap: string;
  /**
  * The time without use that the former key must show before it ends. Default: `24h`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#quiet ApiKey#quiet}
  */
  readonly quiet?: string;
}

export function apiKeyRotationToTerraform(struct?: ApiKeyRotation | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    every: cdktf.stringToTerraform(struct!.every),
    overlap: cdktf.stringToTerraform(struct!.overlap),
    quiet: cdktf.stringToTerraform(struct!.quiet),
  }
}


export function apiKeyRotationToHclTerraform(struct?: ApiKeyRotation | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    every: {
      value: cdktf.stringToHclTerraform(struct!.every),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    overlap: {
      value: cdktf.stringToHclTerraform(struct!.overlap),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    quiet: {
      value: cdktf.stringToHclTerraform(struct!.quiet),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class ApiKeyRotationOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): ApiKeyRotation | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._every !== undefined) {
      hasAnyValues = true;
      internalValueResult.every = this._every;
    }
    if (this._overlap !== undefined) {
      hasAnyValues = true;
      internalValueResult.overlap = this._overlap;
    }
    if (this._quiet !== undefined) {
      hasAnyValues = true;
      internalValueResult.quiet = this._quiet;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: ApiKeyRotation | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._every = undefined;
      this._overlap = undefined;
      this._quiet = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._every = value.every;
      this._overlap = value.overlap;
      this._quiet = value.quiet;
    }
  }

  // every - computed: false, optional: false, required: true
  private _every?: string;
  public get every() {
    return this.getStringAttribute('every');
  }
  public set every(value: string) {
    this._every = value;
  }
  // Temporarily expose input value. Use with caution.
  public get everyInput() {
    return this._every;
  }

  // overlap - computed: false, optional: false, required: true
  private _overlap?: string;
  public get overlap() {
    return this.getStringAttribute('overlap');
  }
  public set overlap(value: string) {
    this._overlap = value;
  }
  // Temporarily expose input value. Use with caution.
  public get overlapInput() {
    return this._overlap;
  }

  // quiet - computed: false, optional: true, required: false
  private _quiet?: string;
  public get quiet() {
    return this.getStringAttribute('quiet');
  }
  public set quiet(value: string) {
    this._quiet = value;
  }
  public resetQuiet() {
    this._quiet = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get quietInput() {
    return this._quiet;
  }
}
export interface ApiKeyTimeouts {
  /**
  * Longest time for a create, such as `10m` or `1h30m`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#create ApiKey#create}
  */
  readonly create?: string;
  /**
  * Longest time for a delete, such as `10m` or `1h30m`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#delete ApiKey#delete}
  */
  readonly delete?: string;
  /**
  * Longest time for a read, such as `10m` or `1h30m`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#read ApiKey#read}
  */
  readonly read?: string;
  /**
  * Longest time for an update, such as `10m` or `1h30m`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#update ApiKey#update}
  */
  readonly update?: string;
}

export function apiKeyTimeoutsToTerraform(struct?: ApiKeyTimeouts | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    create: cdktf.stringToTerraform(struct!.create),
    delete: cdktf.stringToTerraform(struct!.delete),
    read: cdktf.stringToTerraform(struct!.read),
    update: cdktf.stringToTerraform(struct!.update),
  }
}


export function apiKeyTimeoutsToHclTerraform(struct?: ApiKeyTimeouts | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    create: {
      value: cdktf.stringToHclTerraform(struct!.create),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    delete: {
      value: cdktf.stringToHclTerraform(struct!.delete),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    read: {
      value: cdktf.stringToHclTerraform(struct!.read),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
    update: {
      value: cdktf.stringToHclTerraform(struct!.update),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class ApiKeyTimeoutsOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): ApiKeyTimeouts | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._create !== undefined) {
      hasAnyValues = true;
      internalValueResult.create = this._create;
    }
    if (this._delete !== undefined) {
      hasAnyValues = true;
      internalValueResult.delete = this._delete;
    }
    if (this._read !== undefined) {
      hasAnyValues = true;
      internalValueResult.read = this._read;
    }
    if (this._update !== undefined) {
      hasAnyValues = true;
      internalValueResult.update = this._update;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: ApiKeyTimeouts | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._create = undefined;
      this._delete = undefined;
      this._read = undefined;
      this._update = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._create = value.create;
      this._delete = value.delete;
      this._read = value.read;
      this._update = value.update;
    }
  }

  // create - computed: false, optional: true, required: false
  private _create?: string;
  public get create() {
    return this.getStringAttribute('create');
  }
  public set create(value: string) {
    this._create = value;
  }
  public resetCreate() {
    this._create = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get createInput() {
    return this._create;
  }

  // delete - computed: false, optional: true, required: false
  private _delete?: string;
  public get delete() {
    return this.getStringAttribute('delete');
  }
  public set delete(value: string) {
    this._delete = value;
  }
  public resetDelete() {
    this._delete = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get deleteInput() {
    return this._delete;
  }

  // read - computed: false, optional: true, required: false
  private _read?: string;
  public get read() {
    return this.getStringAttribute('read');
  }
  public set read(value: string) {
    this._read = value;
  }
  public resetRead() {
    this._read = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get readInput() {
    return this._read;
  }

  // update - computed: false, optional: true, required: false
  private _update?: string;
  public get update() {
    return this.getStringAttribute('update');
  }
  public set update(value: string) {
    this._update = value;
  }
  public resetUpdate() {
    this._update = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get updateInput() {
    return this._update;
  }
}

/**
* Represents a {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key keyplane_api_key}
*/
export class ApiKey extends cdktf.TerraformResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "keyplane_api_key";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a ApiKey resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the ApiKey to import
  * @param importFromId The id of the existing ApiKey that should be imported. Refer to the {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the ApiKey to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "keyplane_api_key", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/resources/api_key keyplane_api_key} Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options ApiKeyConfig = {}
  */
  public constructor(scope: Construct, id: string, config: ApiKeyConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'keyplane_api_key',
      terraformGeneratorMetadata: {
        providerName: 'keyplane',
        providerVersion: '0.0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      provisioners: config.provisioners,
      connection: config.connection,
      forEach: config.forEach
    });
    this._allowIps = config.allowIps;
    this._budget.internalValue = config.budget;
    this._crossGroupRetry = config.crossGroupRetry;
    this._enabled = config.enabled;
    this._expiresAt = config.expiresAt;
    this._group = config.group;
    this._models = config.models;
    this._name = config.name;
    this._namePrefix = config.namePrefix;
    this._onDestroy = config.onDestroy;
    this._rotateWhenChanged = config.rotateWhenChanged;
    this._smartRoutingTiers = config.smartRoutingTiers;
    this._rotation.internalValue = config.rotation;
    this._timeouts.internalValue = config.timeouts;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // allow_ips - computed: true, optional: true, required: false
  private _allowIps?: string[];
  public get allowIps() {
    return cdktf.Fn.tolist(this.getListAttribute('allow_ips'));
  }
  public set allowIps(value: string[]) {
    this._allowIps = value;
  }
  public resetAllowIps() {
    this._allowIps = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get allowIpsInput() {
    return this._allowIps;
  }

  // budget - computed: true, optional: true, required: false
  private _budget = new ApiKeyBudgetOutputReference(this, "budget");
  public get budget() {
    return this._budget;
  }
  public putBudget(value: ApiKeyBudget) {
    this._budget.internalValue = value;
  }
  public resetBudget() {
    this._budget.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get budgetInput() {
    return this._budget.internalValue;
  }

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // cross_group_retry - computed: true, optional: true, required: false
  private _crossGroupRetry?: boolean | cdktf.IResolvable;
  public get crossGroupRetry() {
    return this.getBooleanAttribute('cross_group_retry');
  }
  public set crossGroupRetry(value: boolean | cdktf.IResolvable) {
    this._crossGroupRetry = value;
  }
  public resetCrossGroupRetry() {
    this._crossGroupRetry = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get crossGroupRetryInput() {
    return this._crossGroupRetry;
  }

  // enabled - computed: true, optional: true, required: false
  private _enabled?: boolean | cdktf.IResolvable;
  public get enabled() {
    return this.getBooleanAttribute('enabled');
  }
  public set enabled(value: boolean | cdktf.IResolvable) {
    this._enabled = value;
  }
  public resetEnabled() {
    this._enabled = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get enabledInput() {
    return this._enabled;
  }

  // expires_at - computed: true, optional: true, required: false
  private _expiresAt?: string;
  public get expiresAt() {
    return this.getStringAttribute('expires_at');
  }
  public set expiresAt(value: string) {
    this._expiresAt = value;
  }
  public resetExpiresAt() {
    this._expiresAt = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get expiresAtInput() {
    return this._expiresAt;
  }

  // group - computed: true, optional: true, required: false
  private _group?: string;
  public get group() {
    return this.getStringAttribute('group');
  }
  public set group(value: string) {
    this._group = value;
  }
  public resetGroup() {
    this._group = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get groupInput() {
    return this._group;
  }

  // id - computed: true, optional: false, required: false
  public get id() {
    return this.getNumberAttribute('id');
  }

  // masked_key - computed: true, optional: false, required: false
  public get maskedKey() {
    return this.getStringAttribute('masked_key');
  }

  // models - computed: true, optional: true, required: false
  private _models?: string[];
  public get models() {
    return cdktf.Fn.tolist(this.getListAttribute('models'));
  }
  public set models(value: string[]) {
    this._models = value;
  }
  public resetModels() {
    this._models = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get modelsInput() {
    return this._models;
  }

  // name - computed: true, optional: true, required: false
  private _name?: string;
  public get name() {
    return this.getStringAttribute('name');
  }
  public set name(value: string) {
    this._name = value;
  }
  public resetName() {
    this._name = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get nameInput() {
    return this._name;
  }

  // name_prefix - computed: false, optional: true, required: false
  private _namePrefix?: string;
  public get namePrefix() {
    return this.getStringAttribute('name_prefix');
  }
  public set namePrefix(value: string) {
    this._namePrefix = value;
  }
  public resetNamePrefix() {
    this._namePrefix = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get namePrefixInput() {
    return this._namePrefix;
  }

  // old_generations - computed: true, optional: false, required: false
  public get oldGenerations() {
    return this.getListAttribute('old_generations');
  }

  // on_destroy - computed: false, optional: true, required: false
  private _onDestroy?: string;
  public get onDestroy() {
    return this.getStringAttribute('on_destroy');
  }
  public set onDestroy(value: string) {
    this._onDestroy = value;
  }
  public resetOnDestroy() {
    this._onDestroy = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get onDestroyInput() {
    return this._onDestroy;
  }

  // remaining_quota - computed: true, optional: false, required: false
  public get remainingQuota() {
    return this.getNumberAttribute('remaining_quota');
  }

  // rotate_when_changed - computed: false, optional: true, required: false
  private _rotateWhenChanged?: { [key: string]: string };
  public get rotateWhenChanged() {
    return this.getStringMapAttribute('rotate_when_changed');
  }
  public set rotateWhenChanged(value: { [key: string]: string }) {
    this._rotateWhenChanged = value;
  }
  public resetRotateWhenChanged() {
    this._rotateWhenChanged = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get rotateWhenChangedInput() {
    return this._rotateWhenChanged;
  }

  // smart_routing_tiers - computed: true, optional: true, required: false
  private _smartRoutingTiers?: string;
  public get smartRoutingTiers() {
    return this.getStringAttribute('smart_routing_tiers');
  }
  public set smartRoutingTiers(value: string) {
    this._smartRoutingTiers = value;
  }
  public resetSmartRoutingTiers() {
    this._smartRoutingTiers = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get smartRoutingTiersInput() {
    return this._smartRoutingTiers;
  }

  // status - computed: true, optional: false, required: false
  public get status() {
    return this.getStringAttribute('status');
  }

  // stored_status - computed: true, optional: false, required: false
  public get storedStatus() {
    return this.getStringAttribute('stored_status');
  }

  // used_quota - computed: true, optional: false, required: false
  public get usedQuota() {
    return this.getNumberAttribute('used_quota');
  }

  // rotation - computed: false, optional: true, required: false
  private _rotation = new ApiKeyRotationOutputReference(this, "rotation");
  public get rotation() {
    return this._rotation;
  }
  public putRotation(value: ApiKeyRotation) {
    this._rotation.internalValue = value;
  }
  public resetRotation() {
    this._rotation.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get rotationInput() {
    return this._rotation.internalValue;
  }

  // timeouts - computed: false, optional: true, required: false
  private _timeouts = new ApiKeyTimeoutsOutputReference(this, "timeouts");
  public get timeouts() {
    return this._timeouts;
  }
  public putTimeouts(value: ApiKeyTimeouts) {
    this._timeouts.internalValue = value;
  }
  public resetTimeouts() {
    this._timeouts.internalValue = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get timeoutsInput() {
    return this._timeouts.internalValue;
  }

  // =========
  // SYNTHESIS
  // =========

  protected synthesizeAttributes(): { [name: string]: any } {
    return {
      allow_ips: cdktf.listMapper(cdktf.stringToTerraform, false)(this._allowIps),
      budget: apiKeyBudgetToTerraform(this._budget.internalValue),
      cross_group_retry: cdktf.booleanToTerraform(this._crossGroupRetry),
      enabled: cdktf.booleanToTerraform(this._enabled),
      expires_at: cdktf.stringToTerraform(this._expiresAt),
      group: cdktf.stringToTerraform(this._group),
      models: cdktf.listMapper(cdktf.stringToTerraform, false)(this._models),
      name: cdktf.stringToTerraform(this._name),
      name_prefix: cdktf.stringToTerraform(this._namePrefix),
      on_destroy: cdktf.stringToTerraform(this._onDestroy),
      rotate_when_changed: cdktf.hashMapper(cdktf.stringToTerraform)(this._rotateWhenChanged),
      smart_routing_tiers: cdktf.stringToTerraform(this._smartRoutingTiers),
      rotation: apiKeyRotationToTerraform(this._rotation.internalValue),
      timeouts: apiKeyTimeoutsToTerraform(this._timeouts.internalValue),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      allow_ips: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._allowIps),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      budget: {
        value: apiKeyBudgetToHclTerraform(this._budget.internalValue),
        isBlock: true,
        type: "struct",
        storageClassType: "ApiKeyBudget",
      },
      cross_group_retry: {
        value: cdktf.booleanToHclTerraform(this._crossGroupRetry),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      enabled: {
        value: cdktf.booleanToHclTerraform(this._enabled),
        isBlock: false,
        type: "simple",
        storageClassType: "boolean",
      },
      expires_at: {
        value: cdktf.stringToHclTerraform(this._expiresAt),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      group: {
        value: cdktf.stringToHclTerraform(this._group),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      models: {
        value: cdktf.listMapperHcl(cdktf.stringToHclTerraform, false)(this._models),
        isBlock: false,
        type: "set",
        storageClassType: "stringList",
      },
      name: {
        value: cdktf.stringToHclTerraform(this._name),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      name_prefix: {
        value: cdktf.stringToHclTerraform(this._namePrefix),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      on_destroy: {
        value: cdktf.stringToHclTerraform(this._onDestroy),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      rotate_when_changed: {
        value: cdktf.hashMapperHcl(cdktf.stringToHclTerraform)(this._rotateWhenChanged),
        isBlock: false,
        type: "map",
        storageClassType: "stringMap",
      },
      smart_routing_tiers: {
        value: cdktf.stringToHclTerraform(this._smartRoutingTiers),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      rotation: {
        value: apiKeyRotationToHclTerraform(this._rotation.internalValue),
        isBlock: true,
        type: "struct",
        storageClassType: "ApiKeyRotation",
      },
      timeouts: {
        value: apiKeyTimeoutsToHclTerraform(this._timeouts.internalValue),
        isBlock: true,
        type: "struct",
        storageClassType: "ApiKeyTimeouts",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
