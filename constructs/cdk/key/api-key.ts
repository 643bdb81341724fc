import { Annotations, type ITerraformDependable, type TerraformProvider } from 'cdktf';
import { Construct } from 'constructs';
import { ApiKey as ApiKeyResource } from '../../gen/cdktf/api-key/index.ts';
import type { IApiKey } from '../check/smoke-check-props.ts';
import { nowOf, PAST_EXPIRY } from '../clock.ts';
import { checkProps } from '../stack/refusal.ts';
import { judged } from '../stack/stack-rules.ts';
import { flagProblems, judgeKey, pastedCredentials } from './judge-key.ts';
import type { KeyFields } from './key-fields.ts';
import { keyConfig } from './notation.ts';

/** What Terraform and Keyplane are told beside the fields of a key. */
export interface KeyHandling {
  /**
   * The name before, as long as the key may still have it. Read directly, Keyplane renames the key: id and secret stay.
   * Terraform renames it too, as long as the id of the construct stays the same.
   */
  readonly renamedFrom?: string;
  /** Refuses whatever would delete the key, as long as its construct is there. Default: false. */
  readonly preventDestroy?: boolean;
  /** Another provider than the only one of the stack. */
  readonly provider?: TerraformProvider;
  /** What has to be there before. */
  readonly dependsOn?: readonly ITerraformDependable[];
}

/** One key of the gateway. What is absent is not managed: it stays as it is on a key that exists. */
export interface ApiKeyProps extends KeyFields, KeyHandling {
  /** Name of the key: 1 to 50 characters and at most 50 bytes. Unique in its account, without regard to case. */
  readonly name: string;
}

/**
 * A key of the gateway: one `keyplane_api_key`, held against the rules of the manifest when the app is synthesized.
 *
 * Its credential is neither in the configuration nor in the state. What this class does not offer is reached through
 * {@link ApiKey.resource}.
 */
export class ApiKey extends Construct implements IApiKey, ITerraformDependable {
  /** The resource below: every attribute, `addOverride`, `importFrom`, `moveTo`, `lifecycle`. */
  public readonly resource: ApiKeyResource;
  /** The name as it was given. */
  public readonly keyName: string;
  #isWarned = false;

  public constructor(scope: Construct, id: string, props: ApiKeyProps) {
    super(scope, id);
    checkProps(this, props);
    const { renamedFrom, preventDestroy, provider, dependsOn, ...key } = props;
    this.keyName = key.name;
    this.resource = new ApiKeyResource(this, 'Resource', {
      ...keyConfig(key),
      ...(preventDestroy ? { lifecycle: { preventDestroy } } : {}),
      ...(provider ? { provider } : {}),
      ...(dependsOn ? { dependsOn: [...dependsOn] } : {}),
    });
    if (renamedFrom !== undefined) this.resource.addOverride('//.keyplane', { renamedFrom });
    judged(this, () => [
      ...this.#judge(key),
      ...flagProblems('preventDestroy', preventDestroy),
      ...pastedCredentials('renamedFrom', renamedFrom),
    ]);
  }

  /** The gateway’s number for the key, known after the first apply. */
  public get keyId(): number {
    return this.resource.id;
  }

  /** Its address in Terraform, for what depends on it. */
  public get fqn(): string {
    return this.resource.fqn;
  }

  #judge(key: KeyFields & { readonly name: string }): readonly string[] {
    const { errors, past } = judgeKey(key, nowOf(this));
    if (past === undefined) return errors;
    if (this.node.tryGetContext(PAST_EXPIRY) !== 'warn') return [...errors, past];
    // Validations may run more than once.
    if (!this.#isWarned) Annotations.of(this).addWarning(past);
    this.#isWarned = true;
    return errors;
  }
}
