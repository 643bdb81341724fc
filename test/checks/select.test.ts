import { describe, expect, it } from 'vitest';
import { selectChecks } from '../../src/checks/index.ts';
import { specOf } from './stage.ts';

const DEFINITIONS = [
  specOf({ name: 'pong', module: 'chat' }),
  specOf({ name: 'order', module: 'chat', schedule: 'costly' }),
  specOf({ name: 'film', module: 'video' }),
  specOf({ name: 'count', module: 'count-tokens' }),
];

interface Asked {
  readonly words: readonly string[];
  readonly asked?: readonly string[];
  readonly costly?: boolean;
}

/** `film-` does not run this time. */
const selected = ({ words, asked = [], costly = false }: Asked): readonly string[] =>
  selectChecks({ selections: new Map([['app', words]]), definitions: DEFINITIONS, asked, costly }).map(
    ({ spec, omittedBecause }) => (omittedBecause === undefined ? spec.name : `${spec.name}-`),
  );

const FORBIDDING = [
  'model-list',
  'forbidden-model',
  'disabled-key',
  'expired-key',
  'exhausted-key',
  'forbidden-address',
];

describe('what proves a key', () => {
  it.each<[string, Asked, readonly string[]]>([
    ['a name is that of a check', { words: ['pong'] }, ['pong']],
    ['a module is all of its checks', { words: ['chat'] }, ['pong', 'order-']],
    ['a module without a definition is a check by itself', { words: ['embeddings'] }, ['embeddings']],
    ['a class is all of its checks', { words: ['costly'], costly: true }, ['order', 'film']],
    ['what is named twice is there once', { words: ['pong', 'chat', 'cheap'] }, ['pong', 'order-']],
    ['what is free comes first', { words: ['film', 'pong', 'count'], costly: true }, ['count', 'pong', 'film']],
  ])('%s', (_, requested, names) => {
    expect(selected(requested)).toEqual(names);
  });

  it('enforcement is all that can be forbidden, without a definition', () => {
    expect([...selected({ words: ['enforcement'] })].sort()).toEqual([...FORBIDDING].sort());
  });

  it('implies ways around the rules by their kind only', () => {
    expect(selected({ words: ['bypass'] })).toEqual(['spoofed-address']);
    expect(selected({ words: ['spoofed-address'] })).toEqual(['spoofed-address']);
    expect([...selected({ words: ['free'] })].sort()).not.toContain('spoofed-address');
  });

  it.each<[string, readonly string[], readonly string[]]>([
    ['by its name', ['film'], ['film']],
    ['by its module', ['video'], ['film']],
    ['by its class', ['costly'], ['order', 'film']],
    ['not by its kind', ['media'], ['film-']],
  ])('what is costly runs when it is asked for %s', (_, asked, names) => {
    expect(selected({ words: ['pong', 'order', 'film'], asked })).toEqual(names);
  });

  it('only what a key selects can be asked for', () => {
    expect(selected({ words: ['pong'], asked: ['film'] })).toEqual([]);
  });
});
