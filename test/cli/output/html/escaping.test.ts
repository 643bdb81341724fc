import { describe, expect, it } from 'vitest';
import { renderCheckHtml } from '../../../../src/cli/output/html/checks.ts';
import { html } from '../../../../src/cli/output/html/markup.ts';
import { thumbnailsOf } from '../../../../src/cli/output/html/thumbnails.ts';
import { EVERY_KIND, FATAL, HOSTILE, reportOf, withArtifacts } from '../../sample-report.ts';

const pageOf = (...given: Parameters<typeof reportOf>): string =>
  renderCheckHtml({ report: reportOf(...given), thumbnails: new Map() });

describe('the page of a report', () => {
  it('shows whatever is in names and answers as text', () => {
    const page = pageOf(HOSTILE);
    expect(page).not.toContain('<script');
    expect(page).not.toContain('<img');
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    expect(page.match(/<\/main>/g)).toHaveLength(1);
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('\\u{1b}[31m');
  });

  it('lets nothing be loaded from anywhere', () => {
    const page = pageOf(EVERY_KIND);
    expect(page).toContain("default-src 'none'");
    expect(page).not.toMatch(/(src|href)="(?!#|data:)/);
  });

  it('has a cell for each result, with a word next to the sign', () => {
    const page = pageOf(EVERY_KIND);
    expect(page.match(/class="(passed|failed|flaky|skipped|unprovable)"><a /g)).toHaveLength(EVERY_KIND.length);
    for (const word of ['passed', 'failed', 'flaky', 'skipped', 'unprovable']) expect(page).toContain(`</span>${word}`);
  });

  it('leads each cell to details that are there', () => {
    const page = pageOf(EVERY_KIND);
    const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(targets).toHaveLength(EVERY_KIND.length);
    for (const id of targets) expect(page).toContain(`id="${id}"`);
  });

  it('is a page also when the run never began', () => {
    const page = pageOf([], { fatal: FATAL });
    expect(page).toContain('The run ended early: No connection to https://gateway.example.com. Look at the address.');
    expect(page).toContain('</html>');
  });

  it('reports why a picture is not shown', async () => {
    const broken = { title: 'picture', mediaType: 'image/png', bytes: new Uint8Array([1, 2, 3]) };
    const report = reportOf([withArtifacts([broken])]);
    expect(renderCheckHtml({ report, thumbnails: await thumbnailsOf(report) })).toContain(
      'Not shown: it cannot be decoded.',
    );
  });

  it('does not carry a video that is too large for a page', async () => {
    const large = { title: 'video', mediaType: 'video/mp4', bytes: new Uint8Array(9 * 1024 * 1024) };
    const report = reportOf([withArtifacts([large])]);
    const page = renderCheckHtml({ report, thumbnails: await thumbnailsOf(report) });
    expect(page).toContain('it is too large for a page: 9.0 MB');
    expect(page.length).toBeLessThan(100_000);
  });

  it('escapes every value of a template, and keeps markup as it is', () => {
    expect(html`<a title="${'"><x>'}">${html`<b>${"it's"}</b>`}${[1, undefined, false, '&']}</a>`.markup).toBe(
      '<a title="&quot;&gt;&lt;x&gt;"><b>it&#39;s</b>1&amp;</a>',
    );
  });
});
