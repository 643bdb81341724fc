import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../src/domain/index.ts';
import { readText } from './scratch.ts';

/**
 * Each file of the folder is a list of wrong manifests that a person can read from top to bottom:
 *
 *     === The mistake, in words; “(2 mistakes)” at its end where there are more than one
 *     the manifest, whole
 *     >>> line:column code: message, then what was found, what was expected, the hint and related places
 *     +3| line 3 as it is once the hint is followed; “-3|” where the hint removes the line
 */
const FOLDER = resolve(import.meta.dirname, '../golden/manifest/wrong');
const files = readdirSync(FOLDER).sort();

/** Characters that nobody could see in a golden, by the signs that stand for them. */
const SIGNS: Readonly<Record<string, string>> = { '␍': '\r', '␉': '\t', '␢': '\u00a0', '‹BOM›': '\ufeff' };

interface WrongManifest {
  readonly title: string;
  readonly mistakes: number;
  /** The lines, with signs for what cannot be seen. */
  readonly lines: readonly string[];
  /** The lines `+3|…` and `-3|`. */
  readonly fix: readonly string[];
}

function wrongManifest(section: string): WrongManifest {
  const [title = '', ...rest] = section.trimEnd().split('\n');
  const end = rest.findIndex((line) => /^(>>> |[+-]\d+\|)/u.test(line));
  return {
    title,
    mistakes: Number(/\((\d) mistakes\)$/u.exec(title)?.[1] ?? 1),
    lines: end < 0 ? rest : rest.slice(0, end),
    fix: rest.filter((line) => /^[+-]\d+\|/u.test(line)),
  };
}

const manifestsOf = (text: string): readonly WrongManifest[] => text.split(/^=== /mu).slice(1).map(wrongManifest);

const textOf = (lines: readonly string[]): string =>
  Object.entries(SIGNS).reduce((text, [sign, is]) => text.replaceAll(sign, is), `${lines.join('\n')}\n`);

function fixed({ lines, fix }: WrongManifest): readonly string[] {
  const corrected = new Map(
    fix.map((line) => {
      const [, sign, number, text] = /^([+-])(\d+)\|(.*)$/u.exec(line) ?? [];
      return [Number(number) - 1, sign === '+' ? [text ?? ''] : []] as const;
    }),
  );
  return [...lines, ...(corrected.has(lines.length) ? [''] : [])].flatMap((line, i) => corrected.get(i) ?? [line]);
}

function written({ severity, code, message, found, expected, hint, place, related = [] }: Diagnostic): string {
  const kind = severity === 'error' ? code : `${severity} ${code}`;
  const also = related.map((other) => `\n    also     ${other.place.line}:${other.place.column} ${other.message}`);
  const head = `>>> ${place?.line}:${place?.column} ${kind}: ${message}\n`;
  return `${head}    found    ${found}\n    expected ${expected}\n    hint     ${hint}${also.join('')}`;
}

async function answered(wrong: WrongManifest): Promise<string> {
  const { diagnostics } = await readText(textOf(wrong.lines));
  return [`=== ${wrong.title}`, ...wrong.lines, ...diagnostics.map(written), ...wrong.fix].join('\n');
}

const tables = files.map((file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8');
  return { file, manifests: manifestsOf(text) };
});
const all = tables.flatMap(({ manifests }) => manifests);

/** Forms that a hint offers for copying: `Did you mean \`usd: 1000\`?`. */
const offered = ({ hint = '' }: Diagnostic): readonly string[] =>
  [...hint.matchAll(/Did you mean `([^`]+)`/gu)].map(([, form = '']) => form);

test('the table has at least 60 wrong manifests, each under its own title', () => {
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(new Set(all.map(({ title }) => title)).size).toBe(all.length);
});

test.each(tables)('$file has exactly the diagnostics that were accepted', async ({ file, manifests }) => {
  const sections = await Promise.all(manifests.map(answered));
  await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot(join(FOLDER, file));
});

describe('a wrong manifest', () => {
  test.each(all)('has one error for each mistake, each at a place in its text: $title', async (wrong) => {
    const { diagnostics } = await readText(textOf(wrong.lines));
    const lines = textOf(wrong.lines).split('\n');
    expect(diagnostics.length).toBe(wrong.mistakes);
    for (const { place } of diagnostics) {
      expect(lines[(place?.line ?? 0) - 1]?.length ?? -1).toBeGreaterThanOrEqual((place?.column ?? Infinity) - 1);
    }
  });

  const fixable = all.filter(({ fix }) => fix.length > 0);
  test.each(fixable)('is valid once its hint is followed, with the forms that it offers: $title', async (wrong) => {
    const { diagnostics } = await readText(textOf(wrong.lines));
    const corrected = fixed(wrong);
    for (const form of diagnostics.flatMap(offered)) expect(wrong.fix.join('\n')).toContain(form);
    const { diagnostics: others } = await readText(textOf(corrected), { GROUP: 'vip' });
    expect(others.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(others.map(({ message }) => message)).not.toContain(diagnostics[0]?.message);
  });

  test('with a form for copying in its hint has its corrected lines in the table', async () => {
    const readings = await Promise.all(all.map(({ lines }) => readText(textOf(lines))));
    const offering = all.filter((_, i) => readings[i]?.diagnostics.some((each) => offered(each).length > 0));
    expect(offering.filter(({ fix }) => fix.length === 0).map(({ title }) => title)).toEqual([]);
  });
});
