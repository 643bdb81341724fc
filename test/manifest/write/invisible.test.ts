import { describe, expect, test } from 'vitest';
import { convertManifest, LANGUAGES } from '../../../src/manifest/index.ts';
import { NOW, readFiles, readText } from '../scratch.ts';

const range = (from: number, to: number): readonly number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** Characters that a reviewer would not see, or that reorder what is seen. */
const UNSEEN = [
  ...[0x1b, 0x7f, 0xa0, 0xad, 0x34f, 0x61c, 0x180e, 0xfeff, 0xe0001, 0xe0041, 0xe007f],
  ...[...range(0x80, 0x9f), ...range(0x200b, 0x200f), ...range(0x2028, 0x202f), ...range(0x2060, 0x206f)],
  ...range(0xfff9, 0xfffb),
].map((code) => String.fromCodePoint(code));
const TEXT = `a${UNSEEN.join('b')}c`;

/** The text as JSON, which is YAML too: neither may have a raw escape. */
const QUOTED = JSON.stringify(TEXT);

const MANIFEST = `version: 1
gateway: { url: https://gateway.example.com, userId: 42 }
keys:
  app:
    budget: unlimited
    smartRouting: { tiers: { ${QUOTED}: [${QUOTED}], x\u034fy: 1 } }
    checks: [word]
checks:
  word: { module: chat, model: m, messages: [{ role: user, content: ${QUOTED} }] }
`;

describe('characters that nobody would see', () => {
  test.each(LANGUAGES)('are escaped in %s', async (language) => {
    const { manifest, diagnostics } = await readText(MANIFEST);
    if (!manifest) throw new Error(JSON.stringify(diagnostics));
    const { text } = convertManifest({ manifest, language, now: NOW });
    expect(UNSEEN.filter((character) => text.includes(character))).toEqual([]);
    const file = { yaml: 'keyplane.yaml', 'hcl-json': 'keys.tf.json' }[language as string];
    if (file === undefined) return;
    const { manifest: again } = await readFiles({ [file]: text });
    expect(again?.desired.keys[0]?.smartRouting).toBe(manifest.desired.keys[0]?.smartRouting);
    expect(again?.checks[0]).toMatchObject({ request: { messages: [{ content: TEXT }] } });
  });
});
