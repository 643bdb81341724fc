import { TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { DataKeyplaneCheck } from '../../gen/cdktf/data-keyplane-check/index.ts';
import { checkProps, checkReferences, constructError } from '../stack/refusal.ts';
import { addValidation } from '../stack/validate-stack.ts';
import { given } from '../values/given.ts';
import { jsonText } from '../values/json-text.ts';
import { isRecord, jsonProblem } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { expectConfig } from './assertions.ts';
import type { SmokeCheckProps } from './smoke-check-props.ts';
import { validateCheck } from './validate-check.ts';

/** A data source with the name of the check in its comment, for Keyplane: overrides do not reach data sources. */
class NamedCheck extends DataKeyplaneCheck {
  public checkName = '';

  public override toTerraform() {
    const configuration = super.toTerraform();
    const block = configuration.data.keyplane_check[this.friendlyUniqueId];
    block['//'] = { ...block['//'], keyplane: { name: this.checkName } };
    return configuration;
  }
}

const POSTCONDITION = { condition: '${self.passed}', errorMessage: '${self.message}' };

/**
 * Checks that a key works, or that the gateway rejects what the key must not do, by a real request with its credential: at
 * each plan and apply of Terraform, and wherever Keyplane runs checks.
 */
export class SmokeCheck extends Construct {
  /** The underlying data source: its verdict, message and cost. */
  public readonly resource: DataKeyplaneCheck;

  public constructor(scope: Construct, id: string, props: SmokeCheckProps) {
    super(scope, id);
    checkProps(this, props);
    checkReferences(this, props);
    if (props.key?.keyId === undefined)
      throw constructError(this, '`key`: Expected a key: an ApiKey, a RotatingKey, or an object with a `keyId`.');
    const { key, module, name = id, request, expect, onFailure = 'fail', dependsOn, ...rest } = props;
    const checked = { ...props, name };
    const check = new NamedCheck(this, 'Resource', {
      keyId: key.keyId,
      module,
      ...given(rest),
      ...(jsonProblem(request, isUnresolved) === undefined && request !== undefined
        ? { request: jsonText(request) }
        : {}),
      ...(isRecord(expect) && Object.keys(expect).length > 0 ? { expect: expectConfig(expect) } : {}),
      ...(dependsOn ? { dependsOn: [...dependsOn] } : {}),
      ...(onFailure === 'warn' ? {} : { lifecycle: { postcondition: [POSTCONDITION] } }),
    });
    check.checkName = name;
    this.resource = check;
    if (onFailure === 'warn') this.#warn();
    addValidation(this, { errors: () => validateCheck(checked) });
  }

  /** The outcome of the check, for outputs and conditions. */
  public get passed() {
    return this.resource.passed;
  }

  #warn(): void {
    const { friendlyUniqueId, fqn } = this.resource;
    const assert = [{ condition: `\${${fqn}.passed}`, error_message: `\${${fqn}.message}` }];
    TerraformStack.of(this).addOverride(`check.${friendlyUniqueId}`, { assert });
  }
}
