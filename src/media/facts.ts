import type { MediaFacts } from '../domain/index.ts';
import { isPicture, readFrame } from './picture.ts';
import { readRecording } from './recording.ts';
import { tryFormatOf } from './signature.ts';

/**
 * What these bytes are; undefined when they are no picture, film or sound that can be read, or not all of one.
 *
 * Kind and format come from the bytes, whatever their name or media type says. Never throws, and works through hostile
 * bytes in time and memory that their number bounds.
 */
export async function readMediaFacts(bytes: Uint8Array): Promise<MediaFacts | undefined> {
  try {
    const format = tryFormatOf(bytes);
    if (format === undefined) return undefined;
    if (!isPicture(format)) return await readRecording(format, bytes);
    const frame = readFrame(format, bytes);
    return frame && { kind: 'image', format, bytes: bytes.length, ...frame };
  } catch {
    // Whatever a reader stumbles over: these bytes are none.
    return undefined;
  }
}
