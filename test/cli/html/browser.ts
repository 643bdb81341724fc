import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, launch, type Page } from 'puppeteer-core';
import type { TestContext } from 'vitest';

const found = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => spawnSync('which', [name], { encoding: 'utf8' }).stdout.trim())
  .find((path) => path !== '');

/** Named by `npm test` where the program is missing. */
export function skipWithoutChromium(context: TestContext): void {
  if (found === undefined) context.skip('chromium not on this machine');
}

export interface Look {
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export interface Shown {
  readonly page: Page;
  /** What the page asked for beside itself and what is written into it. */
  readonly requests: readonly string[];
}

/** A headless browser, and pages written to files for it. Ended by its own handle. */
export class Window {
  readonly #browser: Browser;
  readonly #folder: string;
  private constructor(browser: Browser, folder: string) {
    this.#browser = browser;
    this.#folder = folder;
  }

  static async open(): Promise<Window | undefined> {
    if (found === undefined) return undefined;
    const folder = await mkdtemp(join(tmpdir(), 'keyplane-pages-'));
    const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking'];
    const browser = await launch({ executablePath: found, headless: true, userDataDir: join(folder, 'profile'), args });
    return new Window(browser, folder);
  }

  async show(name: string, text: string, { width, scheme }: Look): Promise<Shown> {
    const file = join(this.#folder, `${name}.html`);
    await writeFile(file, text);
    const page = await this.#browser.newPage();
    const requests: string[] = [];
    const own = pathToFileURL(file).href;
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith('data:') && url !== own) requests.push(url);
    });
    await page.setViewport({ width, height: 900 });
    await page.emulateMediaFeatures([
      { name: 'prefers-color-scheme', value: scheme },
      { name: 'prefers-reduced-motion', value: 'reduce' },
    ]);
    await page.setBypassCSP(true);
    await page.goto(own);
    return { page, requests };
  }

  async close(): Promise<void> {
    await this.#browser.close();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
