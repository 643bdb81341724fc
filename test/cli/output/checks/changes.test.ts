import { marked, type Tokens } from 'marked';
import { Parser, type Result } from 'tap-parser';
import { describe, expect, it } from 'vitest';
import { renderChangeJunit } from '../../../../src/cli/output/changes/junit.ts';
import { renderChangeMarkdown } from '../../../../src/cli/output/changes/markdown.ts';
import { renderChangeTap } from '../../../../src/cli/output/changes/tap.ts';
import { renderChangeHtml } from '../../../../src/cli/output/html/changes.ts';
import { changeSubject } from '../../../../src/cli/output/plan.ts';
import { DRIFT_WORDING, PLAN_WORDING } from '../../../../src/cli/output/wording.ts';
import { isPending } from '../../../../src/domain/index.ts';
import { AT, PLAN } from '../../samples.ts';
import { problemsOf } from './junit-schema.ts';

const page = { plan: PLAN, now: AT, wording: DRIFT_WORDING, refusals: [] };
const keys = new Set(PLAN.changes.map(({ name }) => name));
const pending = new Set(PLAN.changes.filter(isPending).map(({ name }) => name));

describe('changes as a report', () => {
  it('in JUnit XML are a case for each key, which fails where it is not as declared', async () => {
    const xml = renderChangeJunit(page);
    expect(await problemsOf(xml)).toEqual([]);
    expect(xml).toContain(`tests="${keys.size}" failures="${pending.size}" errors="0" skipped="1"`);
    expect(xml.match(/<testcase classname="keys" name="prod-nightly"/g)).toHaveLength(1);
    expect(xml).toContain('<skipped>extra prod-root (id 12)');
    expect(xml).toContain('remaining: declared $25.00 (12,500,000 units), live $3.20 (1,600,000 units)');
  });

  it('in TAP are a point for each key, which is not ok where it is not as declared', () => {
    const parser = new Parser({ strict: true });
    const results: Result[] = [];
    parser.on('assert', (result: Result) => results.push(result));
    parser.end(renderChangeTap(page));
    expect(parser.results).toMatchObject({
      count: keys.size,
      fail: pending.size,
      skip: 1,
      failures: expect.anything(),
    });
    const both = results.find(({ name }) => name === 'prod-nightly')?.diag as { message: string; fields: string[] };
    expect(both.message).toBe('differs prod-nightly (id 8); inactive prod-nightly (id 8)');
    expect(both.fields).toContain('because: the reason why the gateway disabled it is fixed');
  });

  it('in TAP report that there is nothing to compare', () => {
    const parser = new Parser({ strict: true });
    parser.end(renderChangeTap({ ...page, plan: { ...PLAN, changes: [] } }));
    expect(parser.results).toMatchObject({ ok: true, count: 0 });
  });

  it('in Markdown are a table of what differs', () => {
    const tokens = marked.lexer(renderChangeMarkdown({ ...page, wording: PLAN_WORDING }));
    const table = tokens.find((token): token is Tokens.Table => token.type === 'table');
    expect(table?.rows).toHaveLength(PLAN.changes.filter(({ verb }) => verb !== 'keep').length);
    expect(table?.rows[0]?.[0]?.text).toBe('&gt; rename');
  });

  it('in HTML name every key that is not as declared', () => {
    const text = renderChangeHtml(page);
    for (const change of PLAN.changes.filter(isPending)) {
      expect(text).toContain(`<th scope="row">${changeSubject(change, DRIFT_WORDING).replaceAll('"', '&quot;')}</th>`);
    }
    expect(text).toMatch(/<th scope="row">[^<]+, live [^<]+ \(id \d+\)<\/th>/);
    expect(text).toContain("default-src 'none'");
  });
});
