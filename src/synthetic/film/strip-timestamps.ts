const TIMED_BOXES = ['mvhd', 'tkhd', 'mdhd'];

/** Where the boxes of this name begin with their name, among the first bytes of a file. */
function* namesIn(head: Buffer, name: string): Generator<number> {
  for (let at = head.indexOf(name, 0, 'latin1'); at >= 0; at = head.indexOf(name, at + 4, 'latin1')) yield at;
}

/**
 * Takes the times of its making out of an MP4 whose tables stand in front: the muxer writes the machine's clock into
 * them, and the same order shall give the same bytes. ISO/IEC 14496-12, 8.2.2: after its name a box has a version and
 * three bytes of flags, then two times of four bytes each.
 */
export function timeless(mp4: Uint8Array): Uint8Array {
  const file = Buffer.from(mp4.buffer, mp4.byteOffset, mp4.byteLength);
  const tables = file.subarray(0, Math.max(0, file.indexOf('mdat', 0, 'latin1')));
  for (const box of TIMED_BOXES) for (const at of namesIn(tables, box)) tables.fill(0, at + 8, at + 16);
  return mp4;
}
