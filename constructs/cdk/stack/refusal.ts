import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { blankCredentials } from '../../../src/domain/index.ts';
import { isRecord, kindOf } from '../values/shape.ts';

/** What stops a construct from being made at all. No credential that was pasted somewhere is shown again. */
export const refusal = (construct: Construct, text: string): Error =>
  new Error(blankCredentials(`${construct.node.path}: ${text}`));

/**
 * The stack that a construct is in.
 *
 * @throws Error when it is of the other CDK, or of another copy of this one: they would understand each other in part
 */
export function stackOf(construct: Construct): TerraformStack {
  const stack = TerraformStack.of(construct);
  if (stack instanceof TerraformStack) return stack;
  throw refusal(
    construct,
    'The app is not of the CDK that this construct is for. Import from keyplane/constructs/cdktf in an app of cdktf, ' +
      'from keyplane/constructs/cdktn in one of cdktn, and install the CDK once.',
  );
}

/** @throws Error when there are no props, or the app is of another CDK */
export function checkProps(construct: Construct, props: unknown): void {
  stackOf(construct);
  if (!isRecord(props)) throw refusal(construct, `Props are wanted: an object, not ${kindOf(props)}.`);
}
