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

export type Reference = Extract<Expression, { readonly kind: 'reference' }>;

/** Parts of an expression that stand in it themselves. */
function partsOf(expression: Expression): readonly Expression[] {
  const inSteps = (steps: readonly Step[]): readonly Expression[] =>
    steps.flatMap((step) => ('index' in step ? [step.index] : []));
  switch (expression.kind) {
    case 'literal':
      return [];
    case 'reference':
      return inSteps(expression.steps);
    case 'template':
      return expression.parts;
    case 'list':
      return expression.items;
    case 'fields':
      return expression.members.flat();
    case 'access':
      return [expression.of, ...inSteps(expression.steps)];
    case 'call':
      return expression.args;
    case 'choice':
      return [expression.of, expression.yes, expression.no];
    case 'unary':
      return [expression.of];
    case 'binary':
      return [expression.left, expression.right];
  }
}

/** All that it depends on outside itself. */
export const referencesIn = (expression: Expression): readonly Reference[] => [
  ...(expression.kind === 'reference' ? [expression] : []),
  ...partsOf(expression).flatMap(referencesIn),
];
