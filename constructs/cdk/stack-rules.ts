import { Aspects, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import { nameFold } from '../../src/domain/index.ts';
import { accounts } from './account.ts';
import { Guardrail } from './aspects/guardrail.ts';
import { keyResources, tryNameOf } from './key-resource.ts';

const governed = new WeakSet<TerraformStack>();

interface Named {
  readonly path: string;
  readonly name: string;
}

/** Two keys of one account with one name, wherever they are in the app: told in the stack of the later one. */
function duplicates(stack: TerraformStack): readonly string[] {
  const first = new Map<string, Named>();
  const accountOf = accounts();
  return keyResources(stack.node.root).flatMap((resource) => {
    const name = tryNameOf(resource);
    if (name === undefined) return [];
    const identity = `${accountOf(resource)} ${nameFold(name)}`;
    const other = first.get(identity);
    const { path } = resource.node;
    if (!other) first.set(identity, { path, name });
    if (!other || TerraformStack.of(resource) !== stack) return [];
    const like = other.name === name ? '' : `, written ${JSON.stringify(other.name)}`;
    return [
      `${path}: the name ${JSON.stringify(name)} is taken by ${other.path}${like}. ` +
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
