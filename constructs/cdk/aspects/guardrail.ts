import type { IAspect } from 'cdktf';
import type { IConstruct } from 'constructs';
import { blankCredentials, matchesAnyGlob } from '../../../src/domain/index.ts';
import { governStackOf } from '../stack/stack-rules.ts';
import { isKeyResource, type KeyAttributes, type Written } from '../stack/synthesized.ts';
import { unknownFields } from '../values/shape.ts';
import { GUARDRAIL } from './brand.ts';

/** What every guardrail takes. */
export interface GuardrailProps {
  /** Names of keys that are let off: `*` stands for any run of characters, `?` for one. */
  readonly except?: readonly string[];
}

/**
 * A rule that no key below a scope may break: put it over a construct, a stack or the whole app with
 * `Aspects.of(scope).add(…)`. It judges what will be given to Terraform, when all aspects have been there, so it holds for
 * keys of every class and after every override. What breaks it stops the synthesis, with the path of the key.
 *
 * Stacks look for the guardrails above them. One that has neither a `KeyplaneProvider` nor a key of this package, in an app
 * that has none either, does not: nothing of this package is in it.
 */
export abstract class Guardrail implements IAspect {
  public readonly [GUARDRAIL] = true;
  readonly #except: readonly string[];

  /**
   * @param known the props that there are beside `except`
   * @throws Error when there are others: a rule that was meant would not be there
   */
  protected constructor(props: GuardrailProps, known: readonly string[] = []) {
    const [unknown] = unknownFields(props, ['except', ...known]);
    if (unknown !== undefined) throw this.refusal(unknown);
    const { except = [] } = props;
    if (!Array.isArray(except)) throw this.refusal('`except` is a list of names.');
    this.#except = except;
  }

  /** What is wrong with the attributes of a key, as the provider calls them, and of which construct they are. */
  protected abstract problems(key: KeyAttributes, construct: IConstruct): readonly string[];

  /** An error about the guardrail itself. */
  protected refusal(text: string): Error {
    return new Error(blankCredentials(`${this.constructor.name}: ${text}`));
  }

  /** Keys are judged when their stack is validated: until then another aspect may change them. */
  public visit(node: IConstruct): void {
    if (isKeyResource(node)) governStackOf(node);
  }

  /** What is wrong with a key as it will be written. */
  public complaints({ attributes, construct }: Written): readonly string[] {
    const { name } = attributes;
    if (typeof name === 'string' && matchesAnyGlob(this.#except, name)) return [];
    return this.problems(attributes, construct).map((problem) => `${this.constructor.name}: ${problem}`);
  }
}

/** What is told of a value that only a run of Terraform will know: a guardrail lets through what it has seen. */
export const unseen = (attribute: string): string =>
  `\`${attribute}\` is only known to Terraform, so that nobody can say whether it is allowed. Write it out.`;

/** What Terraform is told to pass over can become anything. */
export function isIgnored({ lifecycle }: KeyAttributes, attribute: string): boolean {
  const { ignore_changes: ignored } = (lifecycle ?? {}) as { readonly ignore_changes?: unknown };
  return ignored === 'all' || (Array.isArray(ignored) && ignored.includes(attribute));
}

/** What is told of an attribute whose changes Terraform passes over. */
export const overlooked = (attribute: string): string =>
  `changes of its \`${attribute}\` are ignored: somebody could lift it. Take it out of \`ignoreChanges\`.`;
