import { TerraformProvider, TerraformStack } from 'cdktf';
import { Construct } from 'constructs';
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

/** The type of the provider’s block. */
export const PROVIDER_TYPE = 'keyplane';

const hasMember = (value: unknown, name: string): boolean =>
  typeof value === 'object' && value !== null && name in value;

const isListOfResources = (value: unknown): boolean =>
  Array.isArray(value) && [...value].every((each) => hasMember(each, 'fqn'));

/** Props that refer to other parts of an app. */
interface References {
  readonly provider?: unknown;
  readonly dependsOn?: unknown;
  readonly forEach?: unknown;
}

/** Finds a resource of another stack. The CDK would refer to an output of that stack, for which no resource can wait. */
const foreignResource = (construct: Construct, value: unknown): Construct | undefined =>
  (Array.isArray(value) ? value : [])
    .filter((each) => Construct.isConstruct(each))
    .find((each) => TerraformStack.of(each) !== TerraformStack.of(construct));

function providerProblem(provider: unknown): string | undefined {
  if (!provider) return undefined;
  if (!TerraformProvider.isTerraformProvider(provider))
    return '`provider`: Expected a provider, such as a KeyplaneProvider.';
  const { terraformResourceType: type } = provider;
  return type === PROVIDER_TYPE ? undefined : `\`provider\`: Expected a KeyplaneProvider, got a provider of ${type}.`;
}

function referenceProblem(construct: Construct, { provider, dependsOn, forEach }: References): string | undefined {
  const problem = providerProblem(provider);
  if (problem !== undefined) return problem;
  if (dependsOn && !isListOfResources(dependsOn)) return '`dependsOn`: Expected a list of resources.';
  const foreign = foreignResource(construct, dependsOn);
  if (foreign)
    return `\`dependsOn\`: ${foreign.node.path} is in another stack. Order the stacks instead: \`stack.addDependency(other)\`.`;
  return forEach && !hasMember(forEach, '_getForEachExpression')
    ? '`forEach`: Expected an iterator, such as TerraformIterator.fromList([…]).'
    : undefined;
}

/** @throws Error when a prop refers to something else than the CDK expects, which would fail there without a path */
export function checkReferences(construct: Construct, props: References): void {
  const problem = referenceProblem(construct, props);
  if (problem !== undefined) throw constructError(construct, problem);
}
