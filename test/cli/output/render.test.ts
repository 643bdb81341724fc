import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { renderFault } from '../../../src/cli/output/fault.ts';
import { renderMoney, renderUnits, renderUsd } from '../../../src/cli/output/layout/amount.ts';
import { clip, hang, padEnd, widthOf, wrap } from '../../../src/cli/output/layout/columns.ts';
import { linesOf, renderFrame } from '../../../src/cli/output/layout/frame.ts';
import { renderDistance, renderLongSpan, renderSpan } from '../../../src/cli/output/layout/moment.ts';
import { PLAIN, wantsColours } from '../../../src/cli/output/layout/paint.ts';
import { printable, quoted, shellWord } from '../../../src/cli/output/layout/printable.ts';
import { renderTable } from '../../../src/cli/output/layout/table.ts';
import { decimalOf, Fault, quota, renderInstant } from '../../../src/domain/index.ts';

describe('text from elsewhere', () => {
  it.each([
    ['\u001b[31mred', '\\u{1b}[31mred'],
    ['a\nb\tc\r', 'a\\u{a}b\\u{9}c\\u{d}'],
    ['\u202eevil\u2066', '\\u{202e}evil\\u{2066}'],
    ['\u009b2J', '\\u{9b}2J'],
    ['half \ud83d', 'half \\u{d83d}'],
    ['schön 日本 👍', 'schön 日本 👍'],
    ['prod-\u0441heckout Москва-prod αβ m\u03bcs', 'prod-\\u{441}heckout Москва-prod αβ m\\u{3bc}s'],
    ['::add-mask::unlimited', '\\u{3a}:add-mask::unlimited'],
    ['a ::set-output name=digest::x', 'a \\u{3a}:set-output name=digest::x'],
    ['a##[group]b ###[x]', 'a\\u{23}#[group]b #\\u{23}#[x]'],
    ['##vso[task.setvariable variable=PATH]x', '\\u{23}#vso[task.setvariable variable=PATH]x'],
    ["##teamcity[setParameter name='x']", "\\u{23}#teamcity[setParameter name='x']"],
    ['## 2. ::1, ::ffff:0:0, 2001:db8::/32, std::vector', '## 2. ::1, ::ffff:0:0, 2001:db8::/32, std::vector'],
  ])('%j is shown as %s', (text, shown) => {
    expect(printable(text)).toBe(shown);
  });

  it('is put in quotes when it is not one plain word', () => {
    expect([quoted('prod-a'), quoted('my key'), quoted('')]).toEqual(['prod-a', '"my key"', '""']);
  });

  it('runs nothing as a word of a command', () => {
    const words = ['prod-a', 'my key', "it's", '$(id)', '`id`', 'a;id', '~root'];
    const shown = words.map(shellWord);
    expect(shown).toEqual(['prod-a', "'my key'", "'it'\\''s'", "'$(id)'", "'`id`'", "'a;id'", "'~root'"]);
    const printed = execFileSync('sh', ['-c', `printf '%s\\n' ${shown.join(' ')}`], { encoding: 'utf8' });
    expect(printed.trimEnd().split('\n')).toEqual(words);
  });
});

describe('width', () => {
  it.each([
    ['abc', 3],
    ['日本', 4],
    ['e\u0301', 1],
    ['👍', 2],
    ['👩‍👩‍👧', 2],
    ['\u001b[31mred\u001b[39m', 3],
    ['한국', 4],
  ])('of %j is %d columns', (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it('is kept when text is padded, cut and wrapped', () => {
    expect(padEnd('日本', 6)).toBe('日本  ');
    expect([clip('日本語', 5), clip('abc', 3)]).toEqual(['日本…', 'abc']);
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  });
});

describe('a table', () => {
  it('fits the width by cutting the columns that may shrink', () => {
    const columns = [
      { title: 'N', align: 'right' as const },
      { title: 'NAME', shrinks: true as const },
      { title: 'X' },
    ];
    const text = renderTable(columns, [['10', 'a-very-long-name-indeed', 'x']], 20);
    expect(text).toBe(' N  NAME           X\n10  a-very-long-…  x');
  });

  it('makes no column wider than its content because there is little room', () => {
    const columns = [{ title: 'NAME', shrinks: true as const }, { title: 'EXPIRES' }];
    expect(renderTable(columns, [['app-1', 'never']], 5)).toBe('NAME   EXPIRES\napp-1  never');
  });
});

describe('a block next to its heading', () => {
  it('keeps to a narrow terminal too', () => {
    expect(hang('ok       address      ', 'one two three four five', 40)).toEqual([
      'ok       address      one two three four',
      '                      five',
    ]);
  });
});

describe('a fault', () => {
  const lines = (message: string, width: number) =>
    renderFault(new Fault('plan.stale', message, { hint: 'make a new one' }), PLAIN, width).split('\n');

  it('fits the width with every line, and keeps the indentation of its own lines', () => {
    const shown = lines('The plan is too old for this\n  - a key (id 3): it moved far away', 30);
    expect(shown).toEqual([
      'error[plan.stale]: The plan',
      '  is too old for this',
      '    - a key (id 3): it moved',
      '    far away',
      '  hint: make a new one',
    ]);
  });

  it('is on one line where there is room', () => {
    expect(lines('It is short.', 80)[0]).toBe('error[plan.stale]: It is short.');
  });
});

describe('money and time', () => {
  const rate = decimalOf(500_000);

  it.each([
    [12_500_000, '$25.00'],
    [1, '$0.000002'],
    [-750_000, '-$1.50'],
    [617_283_950_000, '$1,234,567.90'],
    [0, '$0.00'],
  ])('%d units are %s', (units, text) => {
    expect(renderUsd(quota(units), rate)).toBe(text);
  });

  it('count one unit in the singular', () => {
    expect([renderMoney(quota(1), rate), renderMoney(quota(2), rate)]).toEqual([
      '$0.000002 (1 unit)',
      '$0.000004 (2 units)',
    ]);
  });

  it.each([
    [0, '0 seconds', '0 seconds'],
    [61, '1 minute', '1 minute 1 second'],
    [-7_199, '1 hour', '1 hour 59 minutes'],
    [7_200, '2 hours', '2 hours'],
    [3_659, '1 hour', '1 hour'],
    [2 * 86_400 - 1, '1 day', '1 day 23 hours'],
  ])('%i seconds are %s, or %s where that would hide half of it', (seconds, short, long) => {
    expect([renderSpan(seconds), renderLongSpan(seconds)]).toEqual([short, long]);
  });

  it('are grouped and dated', () => {
    expect(renderUnits(-1_234_567)).toBe('-1,234,567');
    expect(renderInstant(1_800_000_000)).toBe('2027-01-15T08:00:00Z');
    expect(renderInstant(9e15)).toBe('Unix time 9000000000000000');
    expect([renderDistance(200, 100), renderDistance(0, 90_000), renderDistance(5, 5)]).toEqual([
      'in 1 minute',
      '1 day ago',
      'now',
    ]);
  });
});

describe('colours', () => {
  const ask = (env: Record<string, string>, isTTY = true, refused = false) => wantsColours({ env, isTTY, refused });

  it('are for terminals by default', () => {
    expect([ask({}), ask({}, false), ask({ TERM: 'dumb' })]).toEqual([true, false, false]);
    expect([ask({ NO_COLOR: '1' }), ask({ FORCE_COLOR: '1' }, false), ask({ FORCE_COLOR: '0' })]).toEqual([
      false,
      true,
      false,
    ]);
    expect([ask({ NO_COLOR: '1', FORCE_COLOR: '1' }), ask({ FORCE_COLOR: '1' }, true, true)]).toEqual([false, false]);
  });
});

describe('a code frame', () => {
  const frame = (source: string, place: object, width = 60) =>
    renderFrame({ file: 'k.yaml', line: 1, column: 1, ...place }, linesOf(source), {
      paint: PLAIN,
      width,
    }).slice(1);

  it('marks the range under wide characters and tabs', () => {
    expect(frame('日本: modles', { column: 5, endColumn: 11 })).toEqual(['1 | 日本: modles', '  |       ^^^^^^']);
    expect(frame('\tab', { column: 2, endColumn: 4 })).toEqual(['1 |     ab', '  |     ^^']);
  });

  it('cuts a long line so that the mark stays in sight', () => {
    const [line = '', mark = ''] = frame(`${'x'.repeat(200)}HERE${'y'.repeat(200)}`, { column: 201, endColumn: 205 });
    expect(widthOf(line)).toBeLessThanOrEqual(60);
    expect(line.slice(mark.indexOf('^'), mark.lastIndexOf('^') + 1)).toBe('HERE');
  });

  it('looks at no more of a line than it shows', () => {
    const wide = '日•'.repeat(500_000);
    const [line = '', mark = ''] = frame(`${wide}HERE${wide}`, { column: 1_000_001, endColumn: 1_000_005 });
    expect(line).toMatch(/^1 \| ….*HERE.*…$/u);
    expect(widthOf(line.slice(0, line.indexOf('HERE')))).toBe(mark.indexOf('^'));
  });

  it('marks at least one column, also at the end of a line, and nothing beyond the end of the text', () => {
    expect(frame('abc', { column: 4 })).toEqual(['1 | abc', '  |    ^']);
    expect(frame('abc', { line: 9 })).toEqual([]);
  });

  it('shows the line before, and no escape sequence', () => {
    expect(frame('keys:\n  \u001b[2J: x', { line: 2, column: 3, endColumn: 4 })).toEqual([
      '1 | keys:',
      '2 |   \\u{1b}[2J: x',
      '  |   ^^^^^^',
    ]);
  });
});
