import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readRoot, readTree } from '../architecture/repository.ts';

const AT_THE_ROOT = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const PAGES = [...AT_THE_ROOT, ...readTree(['docs', 'examples'], ['.md']).keys()];

/** The heading's anchor as forges make it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

/** The anchors of a page: its headings, numbered where they repeat, and those that it sets. */
function anchorsOf(markdown: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = anchorOf(heading);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    return before === 0 ? anchor : `${anchor}-${before}`;
  });
  const own = [...markdown.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id);
  return new Set([...headings, ...own]);
}

const linksOf = (path: string): readonly string[] =>
  [...readRoot(path).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^(https?|mailto):/.test(target));

const fileOf = (path: string, target: string): string =>
  normalize(join(dirname(path), target.split('#')[0] || path.split('/').at(-1) || ''));

describe('the documentation’s links', () => {
  it.each(PAGES)('of %s lead somewhere', (path) => {
    const broken = linksOf(path).filter((target) => {
      const file = fileOf(path, target);
      const anchor = target.split('#')[1];
      if (!existsSync(join(ROOT, file))) return true;
      return anchor !== undefined && !anchorsOf(readRoot(file)).has(anchor);
    });
    expect(broken).toEqual([]);
  });

  it('lead from the index to every page', () => {
    // The table of gateways is the index of the reports on them.
    const indexes = ['docs/README.md', 'docs/compatibility.md'];
    const linked = new Set(indexes.flatMap((index) => linksOf(index).map((target) => fileOf(index, target))));
    // Those below the provider’s are found by their folders, of which registries make a menu.
    const pages = [...readTree(['docs'], ['.md']).keys()].filter(
      (path) => path !== 'docs/README.md' && !/^docs\/provider\/.*\//.test(path),
    );
    expect(pages.filter((path) => !linked.has(path))).toEqual([]);
  });
});

describe('the promises of docs/safety.md', () => {
  const proofs = [...readRoot('docs/safety.md').matchAll(/\[([^\]]+)\]\(\.\.\/(test\/[^)]+)\)/g)];
  const sections = readRoot('docs/safety.md').split(/^## /m).slice(1);

  it('name the tests that hold them, section by section', () => {
    const without = sections.filter((section) => !section.includes('\n\nProof: ['));
    expect(without.map((section) => section.split('\n')[0])).toEqual(['What nobody can promise', 'Try it']);
  });

  it.each(proofs.map(([, title = '', path = '']) => [title, path]))('are held by “%s” in %s', (title, path) => {
    const titles = [...readRoot(path).matchAll(/(['`])((?:(?!\1).)+)\1, (?:async )?\(/g)].map(([, , text]) => text);
    expect(titles.filter((text = '') => text.includes(title))).not.toEqual([]);
  });
});
