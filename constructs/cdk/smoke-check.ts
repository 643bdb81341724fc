import { type ITerraformDependable, type TerraformProvider, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
import type { CheckModule } from '../../src/domain/index.ts';
import { DataKeyplaneCheck } from '../gen/cdktf/data-keyplane-check/index.ts';
import type { IApiKey } from './api-key.ts';
import { expectConfig, type SmokeCheckExpect } from './expectations.ts';
import { jsonText } from './json-text.ts';
import { judgeCheck } from './judge-check.ts';
import type { JsonValue } from './key-fields.ts';

/** What is to be proven of which key. */
export interface SmokeCheckProps {
  /** The key that is proven. Its credential is used in memory and stored nowhere. */
  readonly key: IApiKey;
  /** What is asked of the gateway. */
  readonly module: CheckModule;
  /** Name of the check in reports. Default: the id of the construct. */
  readonly name?: string;
  /** The model that is asked. Default: one of the key’s own. */
  readonly model?: string;
  /** How a video model is asked whose name does not tell. */
  readonly family?: string;
  /** Fields of the request by the gateway’s own names, laid over those that the module sends. */
  readonly request?: { readonly [field: string]: JsonValue };
  /** What the answer must be. */
  readonly expect?: SmokeCheckExpect;
  /** Has to be true for media, which are paid for each time. Default: false. */
  readonly costly?: boolean;
  /** Nothing is sent when it might cost more US dollars than this. */
  readonly maxCostUsd?: number;
  /** For one attempt, such as `30s`; a day at most. Default: as long as the module thinks right. */
  readonly timeout?: string;
  /** How often it is tried again when it fails: 0 to 5. Default: 0. */
  readonly retries?: number;
  /** `fail`: Terraform stops where it fails. `warn`: it says so and goes on. Default: fail. */
  readonly onFailure?: 'fail' | 'warn';
  /** Another provider than the only one of the stack. */
  readonly provider?: TerraformProvider;
  /** What has to be there before. */
  readonly dependsOn?: readonly ITerraformDependable[];
}

const optional = <T extends object>(fields: T): { [F in keyof T]?: Exclude<T[F], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

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
      ...optional(rest),
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
