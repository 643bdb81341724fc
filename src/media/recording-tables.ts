import { boxesIn } from './boxes.ts';
import { requireLength, textAt } from './byte-view.ts';

/** Boxes that contain the tables of a track, or of a fragment of one. */
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf'];

/** The entry sizes of tables, whose entries follow version, flags and count. */
const ENTRY_BYTES: Readonly<Record<string, number>> = { stts: 8, ctts: 8, stsc: 12, stco: 4, co64: 8, stss: 4 };

/** More samples than hours of video have. Nothing else limits the count of a fragment. */
export const MOST_SAMPLES = 1_000_000;

/** No table may declare more entries than it has: readers rely on the count. */
const CHECKS: Readonly<Record<string, (content: DataView) => void>> = {
  ...Object.fromEntries(
    Object.entries(ENTRY_BYTES).map(([type, size]) => [
      type,
      (content: DataView) => requireLength(content, 8 + content.getUint32(4) * size),
    ]),
  ),
  stsz: (content) => {
    if (content.getUint32(4) === 0) requireLength(content, 12 + content.getUint32(8) * 4);
  },
};

/** Checks the tables; returns the number of samples that the fragments declare. */
function checkTables(content: DataView): number {
  let samples = 0;
  for (const box of boxesIn(content)) {
    CHECKS[box.type]?.(box.content);
    if (box.type === 'trun') samples += box.content.getUint32(4);
    if (CONTAINERS.includes(box.type)) samples += checkTables(box.content);
  }
  return samples;
}

/** The placeholder of writers that do not know the length yet. */
const UNKNOWN_LENGTH = 0xffffffff;

function checkSoundData(view: DataView): void {
  for (let at = 12; ; ) {
    const length = view.getUint32(at + 4, true);
    if (textAt(view, at) === 'data') {
      if (length !== UNKNOWN_LENGTH) requireLength(view, at + 8 + length);
      return;
    }
    at += 8 + length + (length % 2);
  }
}

/** Throws RangeError when a video or sound is truncated, or declares more than it contains. An MP3 has no length. */
export function checkComplete(format: string, view: DataView): void {
  if (format === 'mp3') return;
  if (format === 'wav') checkSoundData(view);
  else if (checkTables(view) > MOST_SAMPLES) throw new RangeError('fragments declare too many samples');
}
