const word = (random: () => number): string =>
  Math.floor(random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0');

/** The identity of one attempt to take a lock: no two attempts share it, as processes of two machines may share a number. */
export const nonceOf = (random: () => number): string => word(random) + word(random);
