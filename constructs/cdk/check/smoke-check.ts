import { TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { DataKeyplaneCheck } from '../../gen/cdktf/data-keyplane-check/index.ts';
import { checkProps, refusal } from '../stack/refusal.ts';
import { judged } from '../stack/stack-rules.ts';
import { given } from '../values/given.ts';
import { jsonText } from '../values/json-text.ts';
import { isRecord, jsonProblem } from '../values/shape.ts';
import { isUnresolved } from '../values/unresolved.ts';
import { expectConfig } from './assertions.ts';
import { judgeCheck } from './judge-check.ts';
import type { SmokeCheckProps } from './smoke-check-props.ts';

/** A data source whose comment tells Keyplane what the check is called: overrides do not reach that of a data source. */
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
 * Proves that a key works, or that what is forbidden to it is refused, by a real request with its credential: at each
 * plan and apply of Terraform, and wherever Keyplane runs checks.
 */
export class SmokeCheck extends Construct {
  /** The data source below: its verdict, its message, what it cost. */
  public readonly resource: DataKeyplaneCheck;

  public constructor(scope: Construct, id: string, props: SmokeCheckProps) {
    super(scope, id);
    checkProps(this, props);
    if (props.key?.keyId === undefined)
      throw refusal(this, '`key`: A key is wanted: an ApiKey, a RotatingKey, or what has a `keyId`.');
    const { key, module, name = id, request, expect, onFailure = 'fail', dependsOn, ...rest } = props;
    const checked = { ...props, name };
    const check = new NamedCheck(this, 'Resource', {
      keyId: key.keyId,
      module,
      ...given(rest),
      ...(jsonProblem(request, isUnresolved) === undefined && request !== undefined
        ? { request: jsonText(request) }
        : {}),
      ...(isRecord(expect) ? { expect: expectConfig(expect) } : {}),
      ...(dependsOn ? { dependsOn: [...dependsOn] } : {}),
      ...(onFailure === 'warn' ? {} : { lifecycle: { postcondition: [POSTCONDITION] } }),
    });
    check.checkName = name;
    this.resource = check;
    if (onFailure === 'warn') this.#warn();
    judged(this, () => judgeCheck(checked));
  }

  /** Has it passed? For outputs and conditions. */
  public get passed() {
    return this.resource.passed;
  }

  #warn(): void {
    const { friendlyUniqueId, fqn } = this.resource;
    const assert = [{ condition: `\${${fqn}.passed}`, error_message: `\${${fqn}.message}` }];
    TerraformStack.of(this).addOverride(`check.${friendlyUniqueId}`, { assert });
  }
}
