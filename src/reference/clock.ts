/** The gateway's clock, in whole Unix seconds. The control endpoints can move it. */
export interface GatewayClock {
  now(): number;
  advance(seconds: number): void;
  set(at: number): void;
}

/** @param base Unix seconds, with or without a fraction. The ledger does not store the offset. */
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
