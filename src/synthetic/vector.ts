import { hashOf, mixed, wordsIn } from './words.ts';

/** What the parts of a word weigh together, beside the word: “lamp” is near to “lamps”. */
const PARTS_WEIGHT = 0.5;
/** What tells two texts of the same words apart. */
const TRACE_WEIGHT = 0.05;
const TRACE_VARIES = 0.05;
/** Places of each feature, so that two are rarely alike by accident. */
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

/** Of unit length, as exactly as 32 bits can hold it. */
function unit(vector: Float64Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(vector, (value) => value / norm);
}

/** A text as a vector of unit length. The same text gives the same one, texts that share words are nearer. */
export function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions);
  for (const word of wordsIn(text.toLowerCase())) addWord(vector, word);
  add(vector, `=${text}`, TRACE_WEIGHT + (TRACE_VARIES * hashOf(text)) / 2 ** 32);
  // All of it can have cancelled itself out, where there are few dimensions.
  if (vector.every((value) => value === 0)) vector[0] = 1;
  return unit(vector);
}

/** Little-endian float32, as Base64. */
export function vectorToBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
