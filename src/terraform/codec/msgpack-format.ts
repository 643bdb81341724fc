import { type PathStep, ValueError } from './value-error.ts';

/** The first bytes of values in MessagePack, from its specification. `FIX…` holds a length in its lower bits. */
export const HEAD = {
  fixMap: 0x80,
  fixArray: 0x90,
  fixString: 0xa0,
  nil: 0xc0,
  false: 0xc2,
  true: 0xc3,
  bin8: 0xc4,
  bin16: 0xc5,
  bin32: 0xc6,
  ext8: 0xc7,
  ext32: 0xc9,
  float32: 0xca,
  float64: 0xcb,
  uint8: 0xcc,
  uint16: 0xcd,
  uint32: 0xce,
  uint64: 0xcf,
  int8: 0xd0,
  int16: 0xd1,
  int32: 0xd2,
  int64: 0xd3,
  fixExt1: 0xd4,
  fixExt16: 0xd8,
  string8: 0xd9,
  string16: 0xda,
  string32: 0xdb,
  array16: 0xdc,
  array32: 0xdd,
  map16: 0xde,
  map32: 0xdf,
  negativeFixInt: 0xe0,
} as const;

/** The way to a value from its innermost step: only an error needs it whole. */
export type ValuePath = { readonly up: ValuePath; readonly step: PathStep } | undefined;

export const inside = (up: ValuePath, step: PathStep): ValuePath => ({ up, step });

/** An error at a path. */
export function errorAt(path: ValuePath, message: string): ValueError {
  const steps: PathStep[] = [];
  for (let at = path; at !== undefined; at = at.up) steps.unshift(at.step);
  return new ValueError(message, steps);
}
