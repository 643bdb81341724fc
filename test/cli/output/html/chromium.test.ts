import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { renderChangeHtml } from '../../../../src/cli/output/html/changes.ts';
import { renderCheckHtml } from '../../../../src/cli/output/html/checks.ts';
import { thumbnailsOf } from '../../../../src/cli/output/html/thumbnails.ts';
import { PLAN_WORDING } from '../../../../src/cli/output/wording.ts';
import type { Artifact, MediaFacts } from '../../../../src/domain/index.ts';
import { readMediaFacts } from '../../../../src/media/index.ts';
import { renderImage, renderVideo } from '../../../../src/synthetic/index.ts';
import { EVERY_KIND, HOSTILE, MANY, reportOf, withArtifacts } from '../../sample-report.ts';
import { AT, PLAN } from '../../samples.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const program = NAMES.map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim()).find(Boolean);
/** Texts, because the rest of this program knows no document. */
const OPEN_ALL = "document.querySelectorAll('details').forEach((details) => { details.open = true; })";
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

let folder = '';
let browser: Browser | undefined;
const files: Record<string, string> = {};

async function artifacts(): Promise<readonly Artifact[]> {
  const picture = await renderImage({
    text: 'A crane',
    seed: 1,
    width: 384,
    height: 256,
    format: 'png',
    background: 'opaque',
  });
  const order = { text: 'A harbour', seed: 2, width: 320, height: 192, seconds: 4, audio: true, watermark: false };
  const video = await renderVideo(order);
  const artifact = async (title: string, mediaType: string, bytes: Uint8Array): Promise<Artifact> => ({
    title,
    mediaType,
    bytes,
    facts: (await readMediaFacts(bytes)) as MediaFacts,
  });
  return [await artifact('picture 1', 'image/png', picture), await artifact('video', 'video/mp4', video)];
}

async function save(name: string, text: string): Promise<void> {
  const path = join(folder, `${name}.html`);
  await writeFile(path, text);
  files[name] = pathToFileURL(path).href;
}

beforeAll(async () => {
  if (program === undefined) return;
  folder = await mkdtemp(join(tmpdir(), 'keyplane-html-'));
  const report = reportOf([...EVERY_KIND, ...HOSTILE, withArtifacts(await artifacts())]);
  const runs = [1, 2, 3].map((hour) => ({
    version: 1 as const,
    account: { url: 'https://gateway.example.com', userId: 42 },
    startedAt: report.startedAt - hour * 3_600_000,
    durationMs: 3000,
    results: EVERY_KIND.map(({ key, check, verdict }) => ({
      key,
      check,
      verdict,
      attempts: hour,
      durationMs: 300 * hour,
    })),
  }));
  const thumbnails = await thumbnailsOf(report);
  await save('checks', renderCheckHtml({ report, thumbnails, history: { runs, passedOver: 0 } }));
  await save('many', renderCheckHtml({ report: reportOf(MANY), thumbnails: new Map() }));
  await save('changes', renderChangeHtml({ plan: PLAN, now: AT, wording: PLAN_WORDING, refusals: [] }));
  browser = await puppeteer.launch({
    executablePath: program,
    headless: true,
    args: ['--no-sandbox'],
    timeout: 0,
    protocolTimeout: 0,
  });
});

afterAll(async () => {
  await browser?.close();
  if (folder !== '') await rm(folder, { recursive: true });
});

function browserOf(context: TestContext): Browser {
  if (browser === undefined) context.skip('it opens the page in Chromium, which is not installed');
  return browser as Browser;
}

interface Opened {
  readonly page: Page;
  readonly requested: readonly string[];
}

async function open(context: TestContext, name: string, { width = 1280, scheme = 'light' } = {}): Promise<Opened> {
  const page = await browserOf(context).newPage();
  page.setDefaultTimeout(0);
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  // axe is put into the page, which lets no script run.
  await page.setBypassCSP(true);
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width, height: 900 });
  await page.goto(files[name] as string);
  return { page, requested };
}

const SHOWN = ['checks', 'many', 'changes'].flatMap((name) =>
  [375, 1280].flatMap((width) => ['light', 'dark'].map((scheme) => ({ name, width, scheme, isLong: name === 'many' }))),
);
/** Its thousands of elements are of the kinds of the shorter pages: to examine them once takes as long as all of those. */
const LONG = SHOWN.find(({ isLong }) => isLong);

async function barriersOf(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: { id: string }[] }> } };
    return (await axe.run()).violations.map(({ id }) => id);
  });
}

describe('the page of a report in Chromium', () => {
  it.for(SHOWN)('$name, $scheme, $width px wide: no barrier, and no sideways scrolling', async (shown, context) => {
    const { page } = await open(context, shown.name, shown);
    await page.evaluate(OPEN_ALL);
    if (!shown.isLong || shown === LONG) expect(await barriersOf(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(shown.width);
    await page.close();
  });

  it('has every column of a wide matrix on paper', async (context) => {
    const A4 = 720;
    const { page } = await open(context, 'many', { width: A4 });
    await page.emulateMediaType('print');
    // Browsers shrink a page that is too wide, to half at most.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(1.5 * A4);
    await page.close();
  });

  it('asks the network for nothing', async (context) => {
    const { page, requested } = await open(context, 'checks');
    expect(requested.filter((url) => url !== files.checks && !url.startsWith('data:'))).toEqual([]);
    await page.close();
  });

  it('leads by keyboard from a cell of the matrix to its details, and opens them', async (context) => {
    const { page } = await open(context, 'checks');
    const focused = () => page.evaluate("document.activeElement?.getAttribute('href') ?? ''");
    for (let steps = 0; steps < 10 && (await focused()) !== '#result-2'; steps += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe('#result-2');
    await page.keyboard.press('Enter');
    await page.waitForFunction("location.hash === '#result-2'");
    const isOpen = await page.evaluate("document.getElementById('result-2').closest('details').open");
    expect(isOpen).toBe(true);
    await page.close();
  });

  it('plays the video and shows the picture', async (context) => {
    const { page } = await open(context, 'checks');
    await page.evaluate(OPEN_ALL);
    await page.waitForFunction("document.querySelector('video').readyState >= 1");
    const seconds = await page.evaluate("document.querySelector('video').duration");
    expect(Math.round(seconds as number)).toBe(4);
    const width = await page.evaluate("document.querySelector('img').naturalWidth");
    expect(width).toBe(320);
    await page.close();
  });

  it('runs nothing that got into it', async (context) => {
    const { page } = await open(context, 'checks');
    expect(await page.evaluate("document.querySelectorAll('script, img[onerror]').length")).toBe(0);
    await page.close();
  });
});
