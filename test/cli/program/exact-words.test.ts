import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommandLine, TREE } from '../../../src/cli/index.ts';
import { tryReadExactly } from '../../../src/cli/program/exact-words.ts';

const exactly = (...words: string[]) => tryReadExactly(TREE, words);

/** Words that a command line of this command may have, in any order: most are right, some are not. */
function wordsOf(index: number): fc.Arbitrary<readonly string[]> {
  const command = TREE.commands[index % TREE.commands.length];
  if (!command) throw new Error('there is no command');
  const { path, options, arguments: declared = [] } = command;
  const values = ['a', 'b.json', '7', '-', '-7', '--', '', 'json', 'text', 'a=b', '--yes', 'ä', 'prod *'];
  const choices = [...options, ...declared].flatMap((each) => each.choices ?? []);
  const value = fc.constantFrom(...values, ...choices);
  const option = fc.constantFrom(...options);
  const flag = fc
    .tuple(option, value, fc.nat(6))
    .map(([{ flag: name, short, value: placeholder, choices: own = [] }, text, form]) => {
      const taken = own[form % Math.max(own.length, 1)] ?? text;
      if (form === 0) return [`--${name}`];
      if (form === 1) return [`--${name}=${taken}`];
      if (form === 2 && short !== undefined) return [`-${short}`, taken];
      if (form === 3 && short !== undefined) return [`-${short}${taken}`];
      if (form === 4) return [`--${name.slice(0, -1)}`, taken];
      return placeholder === undefined ? [`--${name}`] : [`--${name}`, taken];
    });
  const other = value.map((text) => [text]);
  return fc
    .array(fc.oneof({ weight: 3, arbitrary: flag }, other), { maxLength: 5 })
    .map((parts) => [...path, ...parts.flat()]);
}

describe('a command line of exact words', () => {
  it('is read into a command, its arguments and its flags, in the order of the options', () => {
    const request = exactly('keys', 'disable', '3', '--yes', 'app-1', '-f', 'a', '--file=b=c', '--no-color');
    expect(request?.command.path).toEqual(['keys', 'disable']);
    expect(request?.arguments).toEqual(['3', 'app-1']);
    expect([...(request?.given ?? [])]).toEqual([
      ['file', ['a', 'b=c']],
      ['yes', true],
      ['no-color', true],
    ]);
  });

  it.each([
    [[]],
    [['plan', '--help']],
    [['plan', '-h']],
    [['--version']],
    [['help', 'plan']],
    [['account']],
    [['plan', 'extra']],
    [['keys', 'get']],
    [['plan', '--out']],
    [['plan', '--out=']],
    [['plan', '--out', '']],
    [['plan', '--out', '-x']],
    [['plan', '--no-color=yes']],
    [['plan', '--format', 'yaml']],
    [['plan', '--fil', 'x']],
    [['completion', 'cmd']],
    [['plan', '--__proto__', 'x']],
  ])('is not %j, which the parser with messages reads', (words) => {
    expect(exactly(...words)).toBeUndefined();
  });

  it('is read as the parser with messages reads it', () => {
    let read = 0;
    const lines = fc.nat(TREE.commands.length - 1).chain(wordsOf);
    fc.assert(
      fc.property(lines, (words) => {
        const request = tryReadExactly(TREE, words);
        if (!request) return;
        read += 1;
        const other = parseCommandLine(TREE, words, 80);
        expect(other).toEqual(request);
        expect(other.kind === 'command' && [...other.given]).toEqual([...request.given]);
      }),
      { numRuns: 1500 },
    );
    expect(read).toBeGreaterThan(100);
  });
});
