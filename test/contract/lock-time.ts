import type { LockTime } from '../../src/reconcile/index.ts';

/** The time of one run: it passes while the run waits, and when a test lets it pass. */
export class RunTime implements LockTime {
  /** Called when the run has waited. */
  onSleep: (ms: number) => Promise<void> = async () => {};
  private ms = 0;
  private asleep = 0;
  private static runs = 0;
  private drawn = 0;
  private readonly seed = ++RunTime.runs;
  private readonly works = new Set<() => Promise<void>>();

  steady(): number {
    return this.ms;
  }

  wall(): number {
    return 1_800_000_000_000 + this.ms + this.asleep;
  }

  async sleep(ms: number): Promise<void> {
    this.ms += ms;
    await this.onSleep(ms);
  }

  every(_ms: number, work: () => Promise<void>): () => void {
    this.works.add(work);
    return () => this.works.delete(work);
  }

  /** Every run draws other numbers, and the same ones each time. */
  random(): number {
    this.drawn += 1;
    return (this.seed * 0.754877666 + this.drawn * 0.569840291) % 1;
  }

  /** Lets time pass without a renewal. */
  pass(ms: number): void {
    this.ms += ms;
  }

  /** The machine sleeps, and its steady clock with it. */
  sleepMachine(ms: number): void {
    this.asleep += ms;
  }

  /** Whatever is due is done. */
  async renew(): Promise<void> {
    for (const work of this.works) await work();
  }

  get isQuiet(): boolean {
    return this.works.size === 0;
  }
}
