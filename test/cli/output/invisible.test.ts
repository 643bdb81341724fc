import { describe, expect, it } from 'vitest';
import { renderChangeJunit } from '../../../src/cli/output/changes/junit.ts';
import { renderChangeMarkdown } from '../../../src/cli/output/changes/markdown.ts';
import { renderChangeTap } from '../../../src/cli/output/changes/tap.ts';
import { renderJunit } from '../../../src/cli/output/checks/junit.ts';
import { renderCheckMarkdown } from '../../../src/cli/output/checks/markdown.ts';
import { renderTap } from '../../../src/cli/output/checks/tap.ts';
import { renderChecks } from '../../../src/cli/output/checks/text.ts';
import { renderChangeHtml } from '../../../src/cli/output/html/changes.ts';
import { renderCheckHtml } from '../../../src/cli/output/html/checks.ts';
import { checkReportData } from '../../../src/cli/output/json/check-data.ts';
import { envelopeOf } from '../../../src/cli/output/json/envelope.ts';
import { planData } from '../../../src/cli/output/json/plan-data.ts';
import { paintOf } from '../../../src/cli/output/layout/paint.ts';
import { renderPlan } from '../../../src/cli/output/plan.ts';
import { DRIFT_WORDING } from '../../../src/cli/output/wording.ts';
import { Fault, visibleJson } from '../../../src/domain/index.ts';
import { EVERY_KIND, reportOf } from '../sample-report.ts';
import { AT, PLAN } from '../samples.ts';

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Each kind of character that could deceive a reader or a terminal. Line feeds may structure a text, and have a case below. */
const KINDS: Readonly<Record<string, readonly number[]>> = {
  'without a width': [0xad, 0x34f, 0x180e, ...range(0x200b, 0x200f), ...range(0x2060, 0x2064), 0xfeff],
  'without ink': [0x115f, 0x1160, 0x17b4, 0x180b, 0x2800, 0x3164, 0xfe00, 0xfe0f, 0xffa0, 0x1d173, 0xe0100, 0xe01ef],
  'that look like a space': [0xa0, ...range(0x2000, 0x200a), 0x202f, 0x205f],
  'that change the direction': [0x61c, ...range(0x202a, 0x202e), ...range(0x2066, 0x2069)],
  'of C0': [...range(0, 9), ...range(0x0b, 0x1f), 0x7f],
  'of C1': range(0x80, 0x9f),
  'of an ANSI escape': [0x1b, 0x9b],
  'that end lines': [0x2028, 0x2029],
  'that are halves': [0xd800, 0xdbff, 0xdc00, 0xdfff],
  'that tag others': range(0xe0000, 0xe007f),
};

const charactersOf = (codes: readonly number[]): readonly string[] => codes.map((code) => String.fromCodePoint(code));

/** Texts of the samples that people or models choose. */
const CHOSEN = /^(prod-|search of|default$|vip$|alpha-|beta-|ping|pong|poster|vectors|assertion failed|the answer|No )/;

/** The same data with characters at the end of each such text. */
function withEnding<T>(value: T, ending: string): T {
  if (typeof value === 'string') return (CHOSEN.test(value) ? value + ending : value) as T;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array || value instanceof Fault)
    return value;
  if (Array.isArray(value)) return value.map((item) => withEnding(item, ending)) as T;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withEnding(member, ending)])) as T;
}

const planOf = (ending: string) => ({
  plan: withEnding(PLAN, ending),
  now: AT,
  wording: DRIFT_WORDING,
  refusals: [],
});
const checksOf = (ending: string) => {
  const { results, ...more } = reportOf(EVERY_KIND);
  const fatal = new Fault('gateway.unreachable', `No answer${ending}`);
  return reportOf(withEnding(results, ending), { ...more, fatal });
};
const envelope = (data: ReturnType<typeof planData>, fault: Fault): string =>
  `${visibleJson(envelopeOf('plan', { data, fault }, []))}\n`;

const FORMATS: Readonly<Record<string, (ending: string) => string>> = {
  'a plan as text': (ending) => {
    const { plan, now, wording } = planOf(ending);
    return renderPlan(plan, now, { paint: paintOf(false), width: 80, wording });
  },
  'a plan as Markdown': (ending) => renderChangeMarkdown(planOf(ending)),
  'a plan as JUnit': (ending) => renderChangeJunit(planOf(ending)),
  'a plan as TAP': (ending) => renderChangeTap(planOf(ending)),
  'a plan as HTML': (ending) => renderChangeHtml(planOf(ending)),
  'a plan as JSON': (ending) =>
    envelope(planData(planOf(ending).plan, []), new Fault('gateway.refused', `No${ending}`)),
  'checks as text': (ending) => renderChecks(checksOf(ending), { paint: paintOf(false), width: 80 }),
  'checks as Markdown': (ending) => renderCheckMarkdown(checksOf(ending)),
  'checks as JUnit': (ending) => renderJunit(checksOf(ending)),
  'checks as TAP': (ending) => renderTap(checksOf(ending)),
  'checks as HTML': (ending) => renderCheckHtml({ report: checksOf(ending), thumbnails: new Map() }),
  'checks as JSON': (ending) => `${visibleJson(checkReportData(checksOf(ending)))}\n`,
};

describe.each(Object.keys(FORMATS))('%s', (format) => {
  const render = FORMATS[format] ?? String;
  const usual = render('');

  it.each(Object.keys(KINDS))('shows no character %s as it is', (kind) => {
    const characters = charactersOf(KINDS[kind] ?? []);
    const shown = render(`x${characters.join('x')}x`);
    expect(shown).not.toBe(usual);
    // The layout itself may use some, such as tabs; there are no more of them.
    const count = (text: string, character: string) => text.split(character).length;
    for (const character of characters) expect(count(shown, character)).toBe(count(usual, character));
  });
});

describe.each(Object.keys(FORMATS))('%s, in the log of a job', (format) => {
  /** The commands that GitHub, Azure Pipelines and TeamCity look for in a line. */
  const OBEYED = /^\s*::[a-z-]+[^\n]*?::|##\[\w|##vso\[|^##teamcity\[/m;

  it.each(['::group::x', '::add-mask::unlimited', '##[add-mask]unlimited', '##vso[task.setvariable variable=a]b'])(
    'holds no command: %s',
    (command) => {
      const render = FORMATS[format] ?? String;
      // Wherever a line is wrapped, a command may begin it.
      for (const before of ['', 'x '.repeat(20), 'x '.repeat(40)]) {
        const shown = render(` ${before}${command}`);
        expect(shown).toContain('x');
        expect(shown).not.toMatch(OBEYED);
      }
    },
  );
});

describe('JSON with such characters', () => {
  it('is read as the same value', () => {
    const value = {
      text: Object.values(KINDS).flatMap(charactersOf).join('a'),
      lines: 'a\nb\r\n',
      '\u202e': 1,
      log: ' ::group::x ##[group]',
    };
    expect(JSON.parse(visibleJson(value))).toEqual(value);
    expect(JSON.parse(visibleJson(value, 2))).toEqual(value);
  });
});
