import { marked, type Token, type Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { renderCheckMarkdown } from '../../../../src/cli/output/checks/markdown.ts';
import { EVERY_KIND, FATAL, HOSTILE, MANY, reportOf, resultOf } from '../../sample-report.ts';

const tableIn = (tokens: readonly Token[]): Tokens.Table =>
  tokens.find((token): token is Tokens.Table => token.type === 'table') as Tokens.Table;

describe('Markdown', () => {
  it('has a table of keys and checks, with a word next to each sign', () => {
    const table = tableIn(marked.lexer(renderCheckMarkdown(reportOf(EVERY_KIND))));
    expect(table.header.map(({ text }) => text)).toEqual(['key', 'pong', 'vectors', 'forbidden-address', 'poster']);
    expect(table.rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['prod-checkout', '✗ failed', '~ flaky', '? unprovable', ''],
      ['prod-studio', '✓ passed', '', '', '– skipped'],
      ['prod-old', '✗ failed', '', '', ''],
    ]);
  });

  it('folds the reasons below it', () => {
    const text = renderCheckMarkdown(reportOf(EVERY_KIND));
    expect(text.match(/<details>/g)).toHaveLength(4);
    expect(text).toContain('the key is expired');
  });

  it('reports why the run ended early', () => {
    expect(renderCheckMarkdown(reportOf([], { fatal: FATAL }))).toContain('> The run ended early: No connection');
  });

  it('shows hostile names and answers as the text they are', () => {
    const markdown = renderCheckMarkdown(reportOf(HOSTILE));
    const page = marked.parse(markdown) as string;
    expect(page).not.toMatch(/<(script|img|style|b)\b/);
    expect(page).not.toContain('href=');
    expect(markdown).not.toContain('@team');
    const named = renderCheckMarkdown(reportOf([resultOf({ key: 'a/b#12', check: 'GH-3', verdict: 'passed' })]));
    expect(named).not.toMatch(/#\d|GH-\d/);
    const table = tableIn(marked.lexer(markdown));
    expect(table.rows).toHaveLength(1);
    expect(table.rows[0]).toHaveLength(2);
  });

  it('has a row for each of many keys', () => {
    expect(tableIn(marked.lexer(renderCheckMarkdown(reportOf(MANY)))).rows).toHaveLength(30);
  });
});
