import { hashOf, mixed, wordsIn } from './words.ts';

/** The total weight of the parts of a word, relative to the word: “lamp” is close to “lamps”. */
const PARTS_WEIGHT = 0.5;
/** The weight of the whole text, which distinguishes texts with the same words. */
const TRACE_WEIGHT = 0.05;
const TRACE_VARIES = 0.05;
/** The number of positions of each feature, so that two features rarely coincide. */
const PLACES = 4;

function add(vector: Float64Array, feature: string, weight: number): void {
  const hash = hashOf(feature);
  for (let place = 0; place < PLACES; place += 1) {
    const mix = mixed(hash, place);
    const index = mix % vector.length;
    vector[index] = (vector[index] ?? 0) + (mixed(mix, place) & 1 ? weight : -weight);
  }
}

function addWord(vector: Float64Array, word: string): void {
  add(vector, word, 1);
  const edged = `^${word}$`;
  const parts = edged.length - 2;
  for (let at = 0; at < parts; at += 1) add(vector, `#${edged.slice(at, at + 3)}`, PARTS_WEIGHT / Math.sqrt(parts));
}

/** Scales a vector to unit length, as exactly as 32 bits allow. */
function unit(vector: Float64Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(vector, (value) => value / norm);
}

/** Embeds a text as a vector of unit length. Equal texts give equal vectors; texts that share words are closer. */
export function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions);
  for (const word of wordsIn(text.toLowerCase())) addWord(vector, word);
  add(vector, `=${text}`, TRACE_WEIGHT + (TRACE_VARIES * hashOf(text)) / 2 ** 32);
  // With few dimensions, all features may cancel each other out.
  if (vector.every((value) => value === 0)) vector[0] = 1;
  return unit(vector);
}

/** Encodes a vector as Base64 of little-endian float32. */
export function vectorToBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
