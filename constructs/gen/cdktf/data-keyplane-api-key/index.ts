// @ts-nocheck: generated from the provider's schema by `npm run generate`. Do not edit.
// https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/api_key
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktf from 'cdktf';

// Configuration

export interface DataKeyplaneApiKeyConfig extends cdktf.TerraformMetaArguments {
  /**
  * Its ID. Set either this or `name`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/api_key#id DataKeyplaneApiKey#id}
  *
  * Please be aware that the id field is automatically added to all resources in Terraform providers using a Terraform provider SDK version below 2.
  * If you experience problems setting this value it might not be settable. Please take a look at the provider documentation to ensure it should be settable.
  */
  readonly id?: number;
  /**
  * Its exact name. Set either this or `id`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/api_key#name DataKeyplaneApiKey#name}
  */
  readonly name?: string;
  /**
  * timeouts block
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/api_key#timeouts DataKeyplaneApiKey#timeouts}
  */
  readonly timeouts?: DataKeyplaneApiKeyTimeouts;
}
export interface DataKeyplaneApiKeyBudgetBelow {
}

export function dataKeyplaneApiKeyBudgetBelowToTerraform(struct?: DataKeyplaneApiKeyBudgetBelow): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataKeyplaneApiKeyBudgetBelowToHclTerraform(struct?: DataKeyplaneApiKeyBudgetBelow): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataKeyplaneApiKeyBudgetBelowOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): DataKeyplaneApiKeyBudgetBelow | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataKeyplaneApiKeyBudgetBelow | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // usd - computed: true, optional: false, required: false
  public get usd() {
    return this.getNumberAttribute('usd');
  }

  // quota - computed: true, optional: false, required: false
  public get quota() {
    return this.getNumberAttribute('quota');
  }
}
export interface DataKeyplaneApiKeyBudget {
}

export function dataKeyplaneApiKeyBudgetToTerraform(struct?: DataKeyplaneApiKeyBudget): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
  }
}


export function dataKeyplaneApiKeyBudgetToHclTerraform(struct?: DataKeyplaneApiKeyBudget): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
  };
  return attrs;
}

export class DataKeyplaneApiKeyBudgetOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): DataKeyplaneApiKeyBudget | undefined {
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataKeyplaneApiKeyBudget | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
    }
  }

  // unlimited - computed: true, optional: false, required: false
  public get unlimited() {
    return this.getBooleanAttribute('unlimited');
  }

  // usd - computed: true, optional: false, required: false
  public get usd() {
    return this.getNumberAttribute('usd');
  }

  // quota - computed: true, optional: false, required: false
  public get quota() {
    return this.getNumberAttribute('quota');
  }

  // per - computed: true, optional: false, required: false
  public get per() {
    return this.getStringAttribute('per');
  }

  // below - computed: true, optional: false, required: false
  private _below = new DataKeyplaneApiKeyBudgetBelowOutputReference(this, "below");
  public get below() {
    return this._below;
  }

  // initial - computed: true, optional: false, required: false
  public get initial() {
    return this.getBooleanAttribute('initial');
  }
}
export interface DataKeyplaneApiKeyTimeouts {
  /**
  * Longest time for a read, such as `10m` or `1h30m`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/api_key#read DataKeyplaneApiKey#read}
  */
  readonly read?: string;
}

export function dataKeyplaneApiKeyTimeoutsToTerraform(struct?: DataKeyplaneApiKeyTimeouts | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  return {
    read: cdktf.stringToTerraform(struct!.read),
  }
}


export function dataKeyplaneApiKeyTimeoutsToHclTerraform(struct?: DataKeyplaneApiKeyTimeouts | cdktf.IResolvable): any {
  if (!cdktf.canInspect(struct) || cdktf.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktf.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdk.tf/complex-object-as-configuration");
  }
  const attrs = {
    read: {
      value: cdktf.stringToHclTerraform(struct!.read),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class DataKeyplaneApiKeyTimeoutsOutputReference extends cdktf.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktf.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktf.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): DataKeyplaneApiKeyTimeouts | cdktf.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._read !== undefined) {
      hasAnyValues = true;
      internalValueResult.read = this._read;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: DataKeyplaneApiKeyTimeouts | cdktf.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._read = undefined;
    }
    else if (cdktf.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._read = value.read;
    }
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
}

/**
* Represents a {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/api_key keyplane_api_key}
*/
export class DataKeyplaneApiKey extends cdktf.TerraformDataSource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "keyplane_api_key";

  // ==============
  // STATIC Methods
  // ==============
  /**
  * Generates CDKTF code for importing a DataKeyplaneApiKey resource upon running "cdktf plan <stack-name>"
  * @param scope The scope in which to define this construct
  * @param importToId The construct id used in the generated config for the DataKeyplaneApiKey to import
  * @param importFromId The id of the existing DataKeyplaneApiKey that should be imported. Refer to the {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/api_key#import import section} in the documentation of this resource for the id to use
  * @param provider? Optional instance of the provider where the DataKeyplaneApiKey to import is found
  */
  public static generateConfigForImport(scope: Construct, importToId: string, importFromId: string, provider?: cdktf.TerraformProvider) {
        return new cdktf.ImportableResource(scope, importToId, { terraformResourceType: "keyplane_api_key", importId: importFromId, provider });
      }

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/data-sources/api_key keyplane_api_key} Data Source
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options DataKeyplaneApiKeyConfig = {}
  */
  public constructor(scope: Construct, id: string, config: DataKeyplaneApiKeyConfig = {}) {
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
    this._id = config.id;
    this._name = config.name;
    this._timeouts.internalValue = config.timeouts;
  }

  // ==========
  // ATTRIBUTES
  // ==========

  // allow_ips - computed: true, optional: false, required: false
  public get allowIps() {
    return cdktf.Fn.tolist(this.getListAttribute('allow_ips'));
  }

  // budget - computed: true, optional: false, required: false
  private _budget = new DataKeyplaneApiKeyBudgetOutputReference(this, "budget");
  public get budget() {
    return this._budget;
  }

  // created_at - computed: true, optional: false, required: false
  public get createdAt() {
    return this.getStringAttribute('created_at');
  }

  // cross_group_retry - computed: true, optional: false, required: false
  public get crossGroupRetry() {
    return this.getBooleanAttribute('cross_group_retry');
  }

  // enabled - computed: true, optional: false, required: false
  public get enabled() {
    return this.getBooleanAttribute('enabled');
  }

  // expires_at - computed: true, optional: false, required: false
  public get expiresAt() {
    return this.getStringAttribute('expires_at');
  }

  // group - computed: true, optional: false, required: false
  public get group() {
    return this.getStringAttribute('group');
  }

  // id - computed: true, optional: true, required: false
  private _id?: number;
  public get id() {
    return this.getNumberAttribute('id');
  }
  public set id(value: number) {
    this._id = value;
  }
  public resetId() {
    this._id = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get idInput() {
    return this._id;
  }

  // masked_key - computed: true, optional: false, required: false
  public get maskedKey() {
    return this.getStringAttribute('masked_key');
  }

  // models - computed: true, optional: false, required: false
  public get models() {
    return cdktf.Fn.tolist(this.getListAttribute('models'));
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

  // remaining_quota - computed: true, optional: false, required: false
  public get remainingQuota() {
    return this.getNumberAttribute('remaining_quota');
  }

  // smart_routing_tiers - computed: true, optional: false, required: false
  public get smartRoutingTiers() {
    return this.getStringAttribute('smart_routing_tiers');
  }

  // status - computed: true, optional: false, required: false
  public get status() {
    return this.getStringAttribute('status');
  }

  // stored_status - computed: true, optional: false, required: false
  public get storedStatus() {
    return this.getStringAttribute('stored_status');
  }

  // unlimited - computed: true, optional: false, required: false
  public get unlimited() {
    return this.getBooleanAttribute('unlimited');
  }

  // used_quota - computed: true, optional: false, required: false
  public get usedQuota() {
    return this.getNumberAttribute('used_quota');
  }

  // timeouts - computed: false, optional: true, required: false
  private _timeouts = new DataKeyplaneApiKeyTimeoutsOutputReference(this, "timeouts");
  public get timeouts() {
    return this._timeouts;
  }
  public putTimeouts(value: DataKeyplaneApiKeyTimeouts) {
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
      id: cdktf.numberToTerraform(this._id),
      name: cdktf.stringToTerraform(this._name),
      timeouts: dataKeyplaneApiKeyTimeoutsToTerraform(this._timeouts.internalValue),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      id: {
        value: cdktf.numberToHclTerraform(this._id),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      name: {
        value: cdktf.stringToHclTerraform(this._name),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      timeouts: {
        value: dataKeyplaneApiKeyTimeoutsToHclTerraform(this._timeouts.internalValue),
        isBlock: true,
        type: "struct",
        storageClassType: "DataKeyplaneApiKeyTimeouts",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
