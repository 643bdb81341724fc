// @ts-nocheck: generated from the provider's schema by `npm run generate`. Do not edit.
// https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/ephemeral-resources/api_key_secret
// generated from terraform resource schema

import { Construct } from 'constructs';
import * as cdktn from 'cdktn';

// Configuration

export interface EphemeralKeyplaneApiKeySecretConfig extends cdktn.TerraformEphemeralMetaArguments {
  /**
  * Its ID. Set either this or `name`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/ephemeral-resources/api_key_secret#id EphemeralKeyplaneApiKeySecret#id}
  *
  * Please be aware that the id field is automatically added to all resources in Terraform providers using a Terraform provider SDK version below 2.
  * If you experience problems setting this value it might not be settable. Please take a look at the provider documentation to ensure it should be settable.
  */
  readonly id?: number;
  /**
  * Its exact name. Set either this or `id`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/ephemeral-resources/api_key_secret#name EphemeralKeyplaneApiKeySecret#name}
  */
  readonly name?: string;
  /**
  * timeouts block
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/ephemeral-resources/api_key_secret#timeouts EphemeralKeyplaneApiKeySecret#timeouts}
  */
  readonly timeouts?: EphemeralKeyplaneApiKeySecretTimeouts;
}
export interface EphemeralKeyplaneApiKeySecretTimeouts {
  /**
  * Longest time for an open, such as `10m` or `1h30m`.
  *
  * Docs at Terraform Registry: {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/ephemeral-resources/api_key_secret#open EphemeralKeyplaneApiKeySecret#open}
  */
  readonly open?: string;
}

export function ephemeralKeyplaneApiKeySecretTimeoutsToTerraform(struct?: EphemeralKeyplaneApiKeySecretTimeouts | cdktn.IResolvable): any {
  if (!cdktn.canInspect(struct) || cdktn.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktn.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdktn.io/docs/concepts/resources#references");
  }
  return {
    open: cdktn.stringToTerraform(struct!.open),
  }
}


export function ephemeralKeyplaneApiKeySecretTimeoutsToHclTerraform(struct?: EphemeralKeyplaneApiKeySecretTimeouts | cdktn.IResolvable): any {
  if (!cdktn.canInspect(struct) || cdktn.Tokenization.isResolvable(struct)) { return struct; }
  if (cdktn.isComplexElement(struct)) {
    throw new Error("A complex element was used as configuration, this is not supported: https://cdktn.io/docs/concepts/resources#references");
  }
  const attrs = {
    open: {
      value: cdktn.stringToHclTerraform(struct!.open),
      isBlock: false,
      type: "simple",
      storageClassType: "string",
    },
  };

  // remove undefined attributes
  return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined));
}

export class EphemeralKeyplaneApiKeySecretTimeoutsOutputReference extends cdktn.ComplexObject {
  private isEmptyObject = false;
  private resolvableValue?: cdktn.IResolvable;

  /**
  * @param terraformResource The parent resource
  * @param terraformAttribute The attribute on the parent resource this class is referencing
  */
  public constructor(terraformResource: cdktn.IInterpolatingParent, terraformAttribute: string) {
    super(terraformResource, terraformAttribute, false);
  }

  public get internalValue(): EphemeralKeyplaneApiKeySecretTimeouts | cdktn.IResolvable | undefined {
    if (this.resolvableValue) {
      return this.resolvableValue;
    }
    let hasAnyValues = this.isEmptyObject;
    const internalValueResult: any = {};
    if (this._open !== undefined) {
      hasAnyValues = true;
      internalValueResult.open = this._open;
    }
    return hasAnyValues ? internalValueResult : undefined;
  }

  public set internalValue(value: EphemeralKeyplaneApiKeySecretTimeouts | cdktn.IResolvable | undefined) {
    if (value === undefined) {
      this.isEmptyObject = false;
      this.resolvableValue = undefined;
      this._open = undefined;
    }
    else if (cdktn.Tokenization.isResolvable(value)) {
      this.isEmptyObject = false;
      this.resolvableValue = value;
    }
    else {
      this.isEmptyObject = Object.keys(value).length === 0;
      this.resolvableValue = undefined;
      this._open = value.open;
    }
  }

  // open - computed: false, optional: true, required: false
  private _open?: string;
  public get open() {
    return this.getStringAttribute('open');
  }
  public set open(value: string) {
    this._open = value;
  }
  public resetOpen() {
    this._open = undefined;
  }
  // Temporarily expose input value. Use with caution.
  public get openInput() {
    return this._open;
  }
}

/**
* Represents a {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/ephemeral-resources/api_key_secret keyplane_api_key_secret}
*/
export class EphemeralKeyplaneApiKeySecret extends cdktn.TerraformEphemeralResource {

  // =================
  // STATIC PROPERTIES
  // =================
  public static readonly tfResourceType = "keyplane_api_key_secret";

  // ===========
  // INITIALIZER
  // ===========

  /**
  * Create a new {@link https://registry.terraform.io/providers/keyplane/keyplane/0.0.1/docs/ephemeral-resources/api_key_secret keyplane_api_key_secret} Ephemeral Resource
  *
  * @param scope The scope in which to define this construct
  * @param id The scoped construct ID. Must be unique amongst siblings in the same scope
  * @param options EphemeralKeyplaneApiKeySecretConfig = {}
  */
  public constructor(scope: Construct, id: string, config: EphemeralKeyplaneApiKeySecretConfig = {}) {
    super(scope, id, {
      terraformResourceType: 'keyplane_api_key_secret',
      terraformGeneratorMetadata: {
        providerName: 'keyplane',
        providerVersion: '0.0.1'
      },
      provider: config.provider,
      dependsOn: config.dependsOn,
      count: config.count,
      lifecycle: config.lifecycle,
      forEach: config.forEach
    });
    this._id = config.id;
    this._name = config.name;
    this._timeouts.internalValue = config.timeouts;
  }

  // ==========
  // ATTRIBUTES
  // ==========

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

  // secret - computed: true, optional: false, required: false
  public get secret() {
    return this.getStringAttribute('secret');
  }

  // timeouts - computed: false, optional: true, required: false
  private _timeouts = new EphemeralKeyplaneApiKeySecretTimeoutsOutputReference(this, "timeouts");
  public get timeouts() {
    return this._timeouts;
  }
  public putTimeouts(value: EphemeralKeyplaneApiKeySecretTimeouts) {
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
      id: cdktn.numberToTerraform(this._id),
      name: cdktn.stringToTerraform(this._name),
      timeouts: ephemeralKeyplaneApiKeySecretTimeoutsToTerraform(this._timeouts.internalValue),
    };
  }

  protected synthesizeHclAttributes(): { [name: string]: any } {
    const attrs = {
      id: {
        value: cdktn.numberToHclTerraform(this._id),
        isBlock: false,
        type: "simple",
        storageClassType: "number",
      },
      name: {
        value: cdktn.stringToHclTerraform(this._name),
        isBlock: false,
        type: "simple",
        storageClassType: "string",
      },
      timeouts: {
        value: ephemeralKeyplaneApiKeySecretTimeoutsToHclTerraform(this._timeouts.internalValue),
        isBlock: true,
        type: "struct",
        storageClassType: "EphemeralKeyplaneApiKeySecretTimeouts",
      },
    };

    // remove undefined attributes
    return Object.fromEntries(Object.entries(attrs).filter(([_, value]) => value !== undefined && value.value !== undefined ))
  }
}
