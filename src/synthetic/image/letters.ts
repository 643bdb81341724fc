import { hashOf } from '../words.ts';

/** Five columns of seven dots for each printable ASCII character, the lowest bit on top, in hexadecimal. */
const COLUMNS =
  '0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649562050 0008070300 001c224100 0041221c00 ' +
  '2a1c7f1c2a 08083e0808 0080703000 0808080808 0000606000 2010080402 3e5149453e 00427f4000 7249494946 2141494d33 ' +
  '1814127f10 2745454539 3c4a494931 4121110907 3649494936 464949291e 0000140000 0040340000 0008142241 1414141414 ' +
  '0041221408 0201590906 3e415d594e 7c1211127c 7f49494936 3e41414122 7f4141413e 7f49494941 7f09090901 3e41415173 ' +
  '7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f021c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e ' +
  '7f09192946 2649494932 03017f0103 3f4040403f 1f2040201f 3f4038403f 6314081463 0304780403 6159494d43 007f414100 ' +
  '0204081020 0041417f00 0402010204 4040404040 0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418 ' +
  '087e090102 0c5252523e 7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438 ' +
  '7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c 4428102844 0c5050503c ' +
  '4464544c44 0008364100 00007f0000 0041360800 0804081008';

const FIRST = ' '.charCodeAt(0);
const GLYPHS = COLUMNS.split(' ').map((columns) =>
  (columns.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16)),
);

/** The size of a letter in dots, and the distances to the next letter and line. */
export const LETTER = { width: 5, height: 7, advance: 6, line: 9 } as const;

const tryGlyph = (letter: string): readonly number[] | undefined => GLYPHS[(letter.codePointAt(0) ?? 0) - FIRST];

/** The columns of a letter. Accents are omitted; characters of other scripts get a pattern derived from their hash. */
export function glyphOf(letter: string): readonly number[] {
  const known = tryGlyph(letter) ?? tryGlyph(letter.normalize('NFKD'));
  if (known) return known;
  const hash = hashOf(letter);
  return [0, 1, 2, 3, 4].map((column) => ((hash >>> (column * 6)) & 0x3f) | 0x40);
}
