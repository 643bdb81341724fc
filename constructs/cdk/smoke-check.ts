import { TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import { DataKeyplaneCheck } from '../gen/cdktf/data-keyplane-check/index.ts';
import { expectConfig } from './expectations.ts';
import { given } from './given.ts';
import { jsonText } from './json-text.ts';
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
    const { key, module, name = id, request, expect, onFailure = 'fail', dependsOn, ...rest } = props;
    const check = new NamedCheck(this, 'Resource', {
      keyId: key.keyId,
      module,
      ...given(rest),
      ...(request === undefined ? {} : { request: jsonText(request) }),
      ...(expect === undefined ? {} : { expect: expectConfig(expect) }),
      ...(dependsOn === undefined ? {} : { dependsOn: [...dependsOn] }),
      ...(onFailure === 'fail' ? { lifecycle: { postcondition: [POSTCONDITION] } } : {}),
    });
    check.checkName = name;
    this.resource = check;
    if (onFailure === 'warn') this.#warn();
    this.node.addValidation({ validate: () => [...judgeCheck({ ...props, name })] });
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
