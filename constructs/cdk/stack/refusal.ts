import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { blankCredentials } from '../../../src/domain/index.ts';
import { isRecord, kindOf } from '../values/shape.ts';

/** An error that keeps a construct from being created. Blanks credentials that were pasted into its text. */
export const constructError = (construct: Construct, text: string): Error =>
  new Error(blankCredentials(`${construct.node.path}: ${text}`));

/**
 * Finds the stack of a construct.
 *
 * @throws Error when the stack is of the other CDK, or of another copy of this one, which would only partly work
 */
export function stackOf(construct: Construct): TerraformStack {
  const stack = TerraformStack.of(construct);
  if (stack instanceof TerraformStack) return stack;
  throw constructError(
    construct,
    'The app uses another CDK than this construct. Import from keyplane/constructs/cdktf in an app of cdktf, ' +
      'from keyplane/constructs/cdktn in one of cdktn, and install the CDK once.',
  );
}

/** @throws Error when the props are missing, or the app uses another CDK */
export function checkProps(construct: Construct, props: unknown): void {
  stackOf(construct);
  if (!isRecord(props)) throw constructError(construct, `Expected an object of props, got ${kindOf(props)}.`);
}
