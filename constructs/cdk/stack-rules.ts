import { Aspects, type TerraformResource, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { nameFold } from '../../src/domain/index.ts';
import { Guardrail } from './aspects/guardrail.ts';
import { accountOf, attributesOf, keyResources } from './key-resource.ts';
import { isUnresolved } from './unresolved.ts';

const governed = new WeakSet<TerraformStack>();

interface Named {
  readonly resource: TerraformResource;
  readonly name: string;
  readonly account: string;
}

function tryName(resource: TerraformResource): Named | undefined {
  const { name } = attributesOf(resource);
  if (typeof name !== 'string' || isUnresolved(name)) return undefined;
  return { resource, name, account: accountOf(resource) };
}

/** Two keys of one account with one name, wherever they are in the app: told in the stack of the later one. */
function duplicates(stack: TerraformStack): readonly string[] {
  const first = new Map<string, Named>();
  return keyResources(stack.node.root).flatMap((resource) => {
    const named = tryName(resource);
    if (!named) return [];
    const identity = `${named.account} ${nameFold(named.name)}`;
    const other = first.get(identity);
    if (!other) first.set(identity, named);
    if (!other || TerraformStack.of(resource) !== stack) return [];
    const like = other.name === named.name ? '' : `, written ${JSON.stringify(other.name)}`;
    return [
      `${resource.node.path}: the name ${JSON.stringify(named.name)} is taken by ${other.resource.node.path}${like}. ` +
        'Names of an account are unique, without regard to case.',
    ];
  });
}

/** Aspects reach what is below their stack only: those of the app, and of stages between, would be passed over silently. */
function guardrailsAbove(stack: TerraformStack): readonly Guardrail[] {
  const above: readonly IConstruct[] = stack.node.scopes.filter((scope) => scope !== stack);
  return above.flatMap((scope) => Aspects.of(scope).all.filter((aspect) => aspect instanceof Guardrail));
}

function broken(stack: TerraformStack): readonly string[] {
  const guardrails = guardrailsAbove(stack);
  return keyResources(stack).flatMap((resource) =>
    guardrails.flatMap((guardrail) => guardrail.complaints(resource).map((text) => `${resource.node.path}: ${text}`)),
  );
}

/** Has the keys of a stack judged together, once, when it is synthesized: whatever class they were made with. */
export function governStackOf(scope: IConstruct): void {
  const stack = TerraformStack.of(scope);
  if (governed.has(stack)) return;
  governed.add(stack);
  stack.node.addValidation({ validate: () => [...duplicates(stack), ...broken(stack)] });
}
