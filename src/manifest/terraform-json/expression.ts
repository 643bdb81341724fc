import type { Value } from './value.ts';

export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | '+' | '-' | '*' | '/' | '%';

/** One step into a value: `.name`, `["name"]`, `[0]`. */
export type Step = { readonly name: string } | { readonly index: Expression };

/** An expression of Terraform’s language, as data. What Keyplane never works out is refused when it is read. */
export type Expression =
  | { readonly kind: 'literal'; readonly value: Value }
  /** Texts and values, put together to one text. */
  | { readonly kind: 'template'; readonly parts: readonly Expression[] }
  | { readonly kind: 'list'; readonly items: readonly Expression[] }
  | { readonly kind: 'fields'; readonly members: readonly (readonly [Expression, Expression])[] }
  /** Something that the module defines, such as `local`, with all steps into it. */
  | { readonly kind: 'reference'; readonly root: string; readonly steps: readonly Step[] }
  | { readonly kind: 'access'; readonly of: Expression; readonly steps: readonly Step[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'choice'; readonly of: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    };

/** Does it depend on anything outside itself? */
export function refersToAnything(expression: Expression): boolean {
  const inSteps = (steps: readonly Step[]): boolean =>
    steps.some((step) => 'index' in step && refersToAnything(step.index));
  switch (expression.kind) {
    case 'literal':
      return false;
    case 'reference':
      return true;
    case 'template':
      return expression.parts.some(refersToAnything);
    case 'list':
      return expression.items.some(refersToAnything);
    case 'fields':
      return expression.members.flat().some(refersToAnything);
    case 'access':
      return refersToAnything(expression.of) || inSteps(expression.steps);
    case 'call':
      return expression.args.some(refersToAnything);
    case 'choice':
      return [expression.of, expression.yes, expression.no].some(refersToAnything);
    case 'unary':
      return refersToAnything(expression.of);
    case 'binary':
      return refersToAnything(expression.left) || refersToAnything(expression.right);
  }
}
