/** The gateway's time: the given one, moved by whoever holds the control endpoints. Whole Unix seconds. */
export interface GatewayClock {
  now(): number;
  advance(seconds: number): void;
  set(at: number): void;
}

/** @param base Unix seconds, with or without a fraction. The offset is not remembered by the ledger. */
export function gatewayClock(base: () => number): GatewayClock {
  let offset = 0;
  return {
    now: () => Math.floor(base() + offset),
    advance(seconds) {
      offset += seconds;
    },
    set(at) {
      offset = at - base();
    },
  };
}
