import { hashOf, wordsIn } from './words.ts';

const TRIGRAM_WEIGHT = 0.3;

function add(vector: Float64Array, feature: string, weight: number): void {
  // Four places for each feature, so that two texts are rarely alike by accident.
  for (let salt = 0; salt < 4; salt += 1) {
    const hash = hashOf(feature, salt * 0x9e3779b1);
    const index = hash % vector.length;
    vector[index] = (vector[index] ?? 0) + ((hash >>> 16) & 1 ? weight : -weight);
  }
}

/** Of unit length, as exactly as 32 bits can hold it. */
function unit(vector: Float64Array): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return Float32Array.from(vector, (value) => value / norm);
}

/** A text as a vector of unit length. The same text gives the same one, texts that share words are nearer. */
export function embedText(text: string, dimensions: number): Float32Array {
  const vector = new Float64Array(dimensions);
  for (const word of wordsIn(text.toLowerCase())) add(vector, word, 1);
  const plain = ` ${text} `;
  for (let at = 0; at + 3 <= plain.length; at += 1)
    add(vector, `#${plain.slice(at, at + 3)}`, TRIGRAM_WEIGHT / plain.length);
  const whole = hashOf(text) % dimensions;
  // Never nothing, and never the same for two texts of the same words.
  vector[whole] = (vector[whole] ?? 0) + 0.1;
  if (vector.every((value) => value === 0)) vector[0] = 1;
  return unit(vector);
}

/** Little-endian float32, as Base64. */
export function vectorToBase64(vector: Float32Array): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
}
