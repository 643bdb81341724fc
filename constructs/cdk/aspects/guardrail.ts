import type { IAspect } from 'cdktf';
import type { IConstruct } from 'constructs';
import { blankCredentials, matchesAnyGlob } from '../../../src/domain/index.ts';
import { isKeyResource, type KeyAttributes, type SynthesizedBlock } from '../stack/synthesized.ts';
import { governStackOf } from '../stack/validate-stack.ts';
import { unknownFields } from '../values/shape.ts';
import { GUARDRAIL } from './brand.ts';

/** The props of every guardrail. */
export interface GuardrailProps {
  /** Names of exempt keys: `*` matches any number of characters, `?` matches one. */
  readonly except?: readonly string[];
}

/**
 * A rule for every key below a scope: add it to a construct, a stack or the whole app with `Aspects.of(scope).add(…)`. It
 * validates the synthesized configuration after all aspects have run, so it applies to keys of every class and after every
 * override. A violation stops the synthesis, with the path of the key.
 *
 * Stacks look for the guardrails above them, unless neither they nor the app contain a `KeyplaneProvider` or a key of this
 * package.
 */
export abstract class Guardrail implements IAspect {
  public readonly [GUARDRAIL] = true;
  readonly #except: readonly string[];

  /**
   * @param known the props in addition to `except`
   * @throws Error when there are others: a misspelled rule would have no effect
   */
  protected constructor(props: GuardrailProps, known: readonly string[] = []) {
    const [unknown] = unknownFields(props, ['except', ...known]);
    if (unknown !== undefined) throw this.refusal(unknown);
    const { except = [] } = props;
    if (!Array.isArray(except)) throw this.refusal('`except` must be a list of names.');
    this.#except = except;
  }

  /**
   * Returns the violations of a key, given its attributes by the provider’s names.
   *
   * @param path distinguishes keys that an override of the stack added, which have no construct of their own
   */
  protected abstract problems(key: KeyAttributes, construct: IConstruct, path: string): readonly string[];

  /** Returns the violations of all keys together that {@link problems} was called with. */
  protected totalProblems(): readonly string[] {
    return [];
  }

  /** An error about the guardrail itself. */
  protected refusal(text: string): Error {
    return new Error(blankCredentials(`${this.constructor.name}: ${text}`));
  }

  /** Defers validation to that of the stack: until then another aspect may change the key. */
  public visit(node: IConstruct): void {
    if (isKeyResource(node)) governStackOf(node);
  }

  /** Returns the violations of a synthesized key. */
  public complaints({ attributes, construct, path }: SynthesizedBlock): readonly string[] {
    const { name } = attributes;
    if (typeof name === 'string' && matchesAnyGlob(this.#except, name)) return [];
    return this.#named(this.problems(attributes, construct, path));
  }

  /** Returns the violations of all synthesized keys together. */
  public totalComplaints(): readonly string[] {
    return this.#named(this.totalProblems());
  }

  #named(problems: readonly string[]): readonly string[] {
    return problems.map((problem) => `${this.constructor.name}: ${problem}`);
  }
}
