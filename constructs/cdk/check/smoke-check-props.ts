import type { ITerraformDependable, TerraformProvider } from 'cdktf';
import type { CheckModule } from '../../../src/domain/index.ts';
import type { JsonValue } from '../key/amounts.ts';
import type { SmokeCheckExpect } from './smoke-check-expect.ts';

/** A key that checks and outputs can reference. */
export interface IApiKey {
  /** The gateway’s number for the key. */
  readonly keyId: number;
}

/** The key to check, and the check to run. */
export interface SmokeCheckProps {
  /** The key to check. Its credential is only used in memory and never stored. */
  readonly key: IApiKey;
  /** The request to send. */
  readonly module: CheckModule;
  /** Name of the check in reports. Default: the ID of the construct. */
  readonly name?: string;
  /** The model to use. Default: one of the key’s own. */
  readonly model?: string;
  /** The family of a video model whose name does not identify it. */
  readonly family?: string;
  /** Fields of the request by the gateway’s own names, merged over those that the module sends. */
  readonly request?: { readonly [field: string]: JsonValue };
  /** Assertions about the response. */
  readonly expect?: SmokeCheckExpect;
  /** Must be true for media, which cost money at every run. Default: false. */
  readonly costly?: boolean;
  /** Sends nothing if the check might cost more US dollars than this. */
  readonly maxCostUsd?: number;
  /** Time limit for one attempt, such as `30s`; at most a day. The default depends on the module. */
  readonly timeout?: string;
  /** Number of retries after a failure: 0 to 5. Default: 0. */
  readonly retries?: number;
  /** `fail`: a failed check stops Terraform. `warn`: it is only reported. Default: fail. */
  readonly onFailure?: 'fail' | 'warn';
  /** A provider other than the stack’s only one. */
  readonly provider?: TerraformProvider;
  /** Resources that must exist before the check runs. */
  readonly dependsOn?: readonly ITerraformDependable[];
}
