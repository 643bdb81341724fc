import { asFault, Fault, keyId } from '../../src/domain/index.ts';
import type { Claim, ClaimNote, ClaimStore } from '../../src/reconcile/index.ts';

/** The claims of one account, as every run sees them. */
export class MemoryClaims implements ClaimStore {
  readonly account = { url: 'memory://account', userId: 1 };
  readonly stored = new Map<number, ClaimNote | undefined>();
  /** Called before an operation takes effect; what it throws is the answer. */
  hook: (operation: keyof ClaimStore, note?: ClaimNote) => void = () => {};
  /** Throws after the placement took effect. */
  losesAnswers = false;
  /** The ID of the next claim. */
  nextId = 1;

  async verifyAccount(): Promise<void> {}

  async list(): Promise<readonly Claim[]> {
    this.hook('list');
    return [...this.stored].map(([id, note]) => ({ id: keyId(id), note, mark: JSON.stringify(note ?? null) }));
  }

  async place(note: ClaimNote): Promise<void> {
    this.hook('place', note);
    this.stored.set(this.nextId++, note);
    if (this.losesAnswers) throw new Fault('gateway.timeout', 'no answer');
  }

  async renew(id: number, note: ClaimNote): Promise<boolean> {
    this.hook('renew');
    if (this.stored.get(id)?.nonce !== note.nonce) return false;
    this.stored.set(id, note);
    return true;
  }

  async remove(id: number): Promise<void> {
    this.hook('remove');
    this.stored.delete(id);
  }

  async removeAllOf(nonce: string): Promise<void> {
    for (const [id, note] of this.stored) if (note?.nonce === nonce) this.stored.delete(id);
  }
}

export const faultOf = (work: Promise<unknown>): Promise<Fault> =>
  work.then(() => {
    throw new Error('it succeeded');
  }, asFault);
