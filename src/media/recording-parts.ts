import { boxesIn } from './boxes.ts';
import { mustReach, wordAt } from './byte-view.ts';

/** Boxes that hold the tables of a track, or of a fragment of one. */
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf'];

/** Tables of entries of one size, after version, flags and count. */
const ENTRY_BYTES: Readonly<Record<string, number>> = { stts: 8, ctts: 8, stsc: 12, stco: 4, co64: 8, stss: 4 };

/** More samples than a film of hours has. The count of a fragment is bound by nothing else. */
const MOST_SAMPLES = 1_000_000;

/** No table may promise more than there is: whoever reads it believes it. */
const CHECKS: Readonly<Record<string, (content: DataView) => void>> = {
  ...Object.fromEntries(
    Object.entries(ENTRY_BYTES).map(([type, size]) => [
      type,
      (content: DataView) => mustReach(content, 8 + content.getUint32(4) * size),
    ]),
  ),
  stsz: (content) => {
    if (content.getUint32(4) === 0) mustReach(content, 12 + content.getUint32(8) * 4);
  },
};

/** Says how many samples the fragments promise. */
function mustHoldTables(content: DataView): number {
  let samples = 0;
  for (const box of boxesIn(content)) {
    CHECKS[box.type]?.(box.content);
    if (box.type === 'trun') samples += box.content.getUint32(4);
    if (CONTAINERS.includes(box.type)) samples += mustHoldTables(box.content);
  }
  return samples;
}

/** What writers give that do not know the length yet. */
const UNKNOWN_LENGTH = 0xffffffff;

function mustHoldSound(view: DataView): void {
  for (let at = 12; ; ) {
    const length = view.getUint32(at + 4, true);
    if (wordAt(view, at) === 'data') {
      if (length !== UNKNOWN_LENGTH) mustReach(view, at + 8 + length);
      return;
    }
    at += 8 + length + (length % 2);
  }
}

/** Throws RangeError where a film or a sound is cut short, or promises what it does not hold. An MP3 has no length. */
export function mustBeWhole(format: string, view: DataView): void {
  if (format === 'mp3') return;
  if (format === 'wav') mustHoldSound(view);
  else if (mustHoldTables(view) > MOST_SAMPLES) throw new RangeError('fragments promise too many samples');
}
