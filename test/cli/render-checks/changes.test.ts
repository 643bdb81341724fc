import { marked, type Tokens } from 'marked';
import { Parser } from 'tap-parser';
import { describe, expect, it } from 'vitest';
import { convert } from 'xmlbuilder2';
import { renderChangeJunit } from '../../../src/cli/render/changes/junit.ts';
import { renderChangeMarkdown } from '../../../src/cli/render/changes/markdown.ts';
import { renderChangeTap } from '../../../src/cli/render/changes/tap.ts';
import { renderChangeHtml } from '../../../src/cli/render/html/changes.ts';
import { DRIFT_WORDING, PLAN_WORDING } from '../../../src/cli/render/wording.ts';
import { isPending } from '../../../src/domain/index.ts';
import { AT, PLAN } from '../samples.ts';

const page = { plan: PLAN, now: AT, wording: DRIFT_WORDING };
const pending = PLAN.changes.filter(isPending).length;

describe('changes as a report', () => {
  it('in JUnit XML fail for each key that is not as declared', () => {
    const { testsuites } = convert(renderChangeJunit(page), { format: 'object' }) as {
      testsuites: { '@tests': string; '@failures': string };
    };
    expect(testsuites['@tests']).toBe(String(PLAN.changes.length));
    expect(testsuites['@failures']).toBe(String(pending));
    expect(pending).toBeGreaterThan(0);
  });

  it('in TAP are not ok for each key that is not as declared', () => {
    const parser = new Parser({ strict: true });
    parser.end(renderChangeTap(page));
    expect(parser.results).toMatchObject({ count: PLAN.changes.length, fail: pending });
  });

  it('in Markdown are a table of what differs', () => {
    const tokens = marked.lexer(renderChangeMarkdown({ ...page, wording: PLAN_WORDING }));
    const table = tokens.find((token): token is Tokens.Table => token.type === 'table');
    expect(table?.rows).toHaveLength(PLAN.changes.filter(({ verb }) => verb !== 'keep').length);
    expect(table?.rows[0]?.[0]?.text).toBe('&gt; rename');
  });

  it('in HTML name every key that is not as declared', () => {
    const text = renderChangeHtml(page);
    for (const { name } of PLAN.changes.filter(isPending)) expect(text).toContain(`<th scope="row">${name}</th>`);
    expect(text).toContain("default-src 'none'");
  });
});
