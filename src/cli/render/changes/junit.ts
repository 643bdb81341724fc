import { create } from 'xmlbuilder2';
import { xmlText } from '../xml-text.ts';
import { type ChangePage, toldChanges } from './told-change.ts';

/** Drift for CI systems: a case for each owned key, failed where something is pending. */
export function renderChangeJunit(page: ChangePage): string {
  const { plan, wording } = page;
  const told = toldChanges(page);
  const failures = String(told.filter(({ pending }) => pending).length);
  const figures = { tests: String(told.length), failures, errors: '0' };
  const root = create({ version: '1.0', encoding: 'UTF-8' }).ele('testsuites', {
    name: `keyplane ${wording.title}`,
    ...figures,
  });
  const suite = root.ele('testsuite', { name: xmlText(`${plan.account.url} ${plan.account.userId}`), ...figures });
  for (const { name, title, word, pending, lines } of told) {
    const element = suite.ele('testcase', { classname: 'keys', name: xmlText(name) });
    const text = [title, ...lines].map(xmlText).join('\n');
    if (pending) element.ele('failure', { message: xmlText(title), type: word }).txt(text);
  }
  return `${root.end({ prettyPrint: true })}\n`;
}
