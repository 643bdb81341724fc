import { create } from 'xmlbuilder2';
import { printable } from './layout/printable.ts';

/** The reason why a case did not simply pass. */
interface CaseEnding {
  readonly as: 'failure' | 'error' | 'skipped';
  readonly message: string;
  readonly type?: string;
  readonly lines: readonly string[];
}

export interface JunitCase {
  readonly classname: string;
  readonly name: string;
  readonly ms: number;
  /** Absent: it passed. */
  readonly ending?: CaseEnding;
}

export interface JunitSuite {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly cases: readonly JunitCase[];
  readonly properties: Readonly<Record<string, string>>;
  /** Remarks on cases that passed. */
  readonly remarks: readonly string[];
}

type Node = ReturnType<typeof create>;

/**
 * Only what XML 1.0 can hold; what a terminal would not show is written out. The builder takes `&x;` in a text for an
 * entity and leaves it, so ampersands are escaped here: it leaves those, too.
 */
const xmlText = (text: string): string =>
  printable(text)
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;');

const xmlLines = (lines: readonly string[]): string =>
  lines
    .flatMap((line) => line.split('\n'))
    .map(xmlText)
    .join('\n');

const seconds = (ms: number): string => (ms / 1000).toFixed(3);

/** Without a zone, as the format wants it. */
const instant = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

function addCase(suite: Node, { classname, name, ms, ending }: JunitCase): void {
  const element = suite.ele('testcase', { classname: xmlText(classname), name: xmlText(name), time: seconds(ms) });
  if (ending === undefined) return;
  const { as, type, lines } = ending;
  const message = ending.message.replace(/\s*\n\s*/g, ' ');
  // What was skipped may have a text, but no attribute.
  if (as === 'skipped')
    return void element.ele(as).txt(xmlLines([message, ...lines.filter((line) => line !== message)]));
  element
    .ele(as, { message: xmlText(message), ...(type === undefined ? {} : { type: xmlText(type) }) })
    .txt(xmlLines(lines));
}

function addSuite(root: Node, suite: JunitSuite, id: number): void {
  const { name, startedAt, cases, properties, remarks } = suite;
  const count = (as: CaseEnding['as']): string => String(cases.filter(({ ending }) => ending?.as === as).length);
  const element = root.ele('testsuite', {
    name: xmlText(name),
    package: 'keyplane',
    id: String(id),
    timestamp: instant(startedAt),
    hostname: 'localhost',
    tests: String(cases.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  });
  const list = element.ele('properties');
  for (const [key, value] of Object.entries(properties)) {
    list.ele('property', { name: xmlText(key), value: xmlText(value) });
  }
  for (const each of cases) addCase(element, each);
  element.ele('system-out').txt(xmlLines(remarks));
  element.ele('system-err');
}

/** JUnit XML that satisfies the schema of Jenkins, and keeps to what readers of Ant's reports know: a case has one ending. */
export function renderSuites(suites: readonly JunitSuite[]): string {
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites');
  suites.forEach((suite, index) => {
    addSuite(root, suite, index);
  });
  return `${root.end({ prettyPrint: true })}\n`;
}
