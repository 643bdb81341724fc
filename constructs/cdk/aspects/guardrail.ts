import { Annotations, type IAspect, type TerraformResource } from 'cdktf';
import type { IConstruct } from 'constructs';
import { matchesAnyGlob } from '../../../src/domain/index.ts';
import { attributesOf, isKeyResource, type KeyAttributes } from '../key-resource.ts';

/** What every guardrail takes. */
export interface GuardrailProps {
  /** Names of keys that are let off: `*` stands for any run of characters, `?` for one. */
  readonly except?: readonly string[];
}

/**
 * A rule that no key below a scope may break: put it over a construct, a stack or the whole app with
 * `Aspects.of(scope).add(…)`. It judges what would be given to Terraform, so it holds for keys of every class and after
 * every override. What breaks it is an error of the synthesis, with the path of the key.
 */
export abstract class Guardrail implements IAspect {
  readonly #except: readonly string[];
  readonly #visited = new WeakSet<IConstruct>();

  protected constructor({ except = [] }: GuardrailProps) {
    this.#except = except;
  }

  /** What is wrong with the attributes of a key, as the provider calls them, and of which construct they are. */
  protected abstract problems(key: KeyAttributes, construct: IConstruct): readonly string[];

  public visit(node: IConstruct): void {
    if (!isKeyResource(node) || this.#visited.has(node)) return;
    for (const complaint of this.complaints(node)) Annotations.of(node).addError(complaint);
    this.#visited.add(node);
  }

  /** What is wrong with a key, unless it was said already. */
  public complaints(resource: TerraformResource): readonly string[] {
    if (this.#visited.has(resource)) return [];
    const key = attributesOf(resource);
    const { name } = key;
    if (typeof name === 'string' && matchesAnyGlob(this.#except, name)) return [];
    return this.problems(key, resource).map((problem) => `${this.constructor.name}: ${problem}`);
  }
}

/** What is told of a value that only a run of Terraform will know: a guardrail lets through what it has seen. */
export const unseen = (attribute: string): string =>
  `\`${attribute}\` is only known to Terraform, so that nobody can say whether it is allowed. Write it out.`;
