import type { ITerraformDependable, TerraformProvider } from 'cdktf';
import type { CheckModule } from '../../../src/domain/index.ts';
import type { JsonValue } from '../key/key-fields.ts';
import type { SmokeCheckExpect } from './smoke-check-expect.ts';

/** A key that checks and outputs can refer to. */
export interface IApiKey {
  /** The gateway’s number for the key. */
  readonly keyId: number;
}

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
