import fc from 'fast-check';
import { literalText } from './literals.ts';

const text = fc.constantFrom('', 'a', 'b', 'AB', '1', '1.5', 'true', '-2', 'x-y', '%s', '${', 'é');
const plain = fc.oneof(text, fc.integer({ min: -3, max: 12 }), fc.constantFrom(1.5, 0.25, true, false, null));

const joined = (open: string, inner: fc.Arbitrary<string>, close: string): fc.Arbitrary<string> =>
  fc.array(inner, { maxLength: 3 }).map((items) => `${open}${items.join(', ')}${close}`);

const FUNCTIONS = {
  one: ['toset', 'tolist', 'jsonencode'],
  many: ['concat', 'merge', 'join'],
} as const;

const call = (name: string, args: readonly string[]): string => `${name}(${args.join(', ')})`;

/** Random expressions of everything that is evaluated; many of them are invalid. */
export const compositions: fc.Arbitrary<string> = fc.letrec<Record<'any' | 'list' | 'map', string>>((tie) => {
  const any = tie('any');
  const name = fc.constantFrom('a', 'b', '"c d"', '(join("", ["e"]))', '1');
  return {
    list: joined('[', any, ']'),
    map: joined(
      '{',
      fc.tuple(name, any).map(([key, value]) => `${key} = ${value}`),
      '}',
    ),
    any: fc.oneof(
      { maxDepth: 4, depthSize: 'large' },
      plain.map(literalText),
      tie('list'),
      tie('map'),
      fc.tuple(fc.constantFrom(...FUNCTIONS.one), any).map(([f, arg]) => call(f, [arg])),
      fc.tuple(fc.constantFrom('tolist', 'toset', 'concat'), tie('list')).map(([f, arg]) => call(f, [arg])),
      tie('map').map((map) => call('merge', [map])),
      fc
        .tuple(tie('list'), tie('list'), fc.constantFrom('tolist', 'toset', ''))
        .map(([a, b, f]) => call('concat', [`${f || 'tolist'}(${a})`, `tolist(${b})`])),
      fc
        .tuple(fc.constantFrom(...FUNCTIONS.many), fc.array(any, { minLength: 1, maxLength: 3 }))
        .map(([f, args]) => call(f, args)),
      fc.tuple(tie('list'), tie('list')).map((lists) => call('concat', lists)),
      fc.tuple(tie('map'), tie('map')).map((maps) => call('merge', maps)),
      fc.tuple(text, tie('list')).map(([by, list]) => call('join', [literalText(by), list])),
      fc.tuple(tie('list'), fc.constantFrom('0', '1', '"0"')).map(([list, index]) => `${list}[${index}]`),
      tie('map').map((map) => `${map}.a`),
      fc
        .array(
          fc.oneof(
            text.map((each) => literalText(each).slice(1, -1)),
            any.map((each) => `\${${each}}`),
          ),
          { minLength: 1, maxLength: 3 },
        )
        .map((parts) => `"${parts.join('')}"`),
    ),
  };
}).any;
