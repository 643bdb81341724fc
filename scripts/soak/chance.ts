/** Choices that a seed repeats. */
export interface Chance {
  /** An integer from 0 up to, but not including, `below`. */
  number(below: number): number;
  /** True in this share of the cases. */
  happens(share: number): boolean;
  pick<T>(choices: readonly [T, ...T[]]): T;
}

/** Creates choices from a seed, by the generator Mulberry32. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const number = (below: number): number => Math.floor(next() * below);
  return {
    number,
    happens: (share) => next() < share,
    pick: (choices) => choices[number(choices.length)] ?? choices[0],
  };
}
