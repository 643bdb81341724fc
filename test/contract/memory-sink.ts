import { Fault, type FaultCode, type Secret, type SinkEnd } from '../../src/domain/index.ts';
import type { SecretSink, SinkAccess, SinkHolder, SinkMatch, SinkMetadata } from '../../src/reconcile/index.ts';

export interface MemorySinkOptions {
  readonly adopt?: boolean;
  readonly onDestroy?: SinkEnd;
  readonly withheld?: string;
  readonly propagateSeconds?: number;
  /** Compared by the value, which nobody can read: as a write-only sink with a fingerprint. */
  readonly isWriteOnly?: boolean;
}

/** A body of the port: a sink in memory. Records its calls, and can be made to fail before or after any of them. */
export class MemorySink implements SecretSink {
  readonly kind = 'file' as const;
  readonly adopt: boolean;
  readonly onDestroy: SinkEnd;
  readonly propagateSeconds: number;
  readonly withheld?: string;
  readonly calls: string[] = [];
  held: { readonly secret: Secret; readonly isOurs: boolean; readonly metadata?: SinkMetadata } | undefined;
  /** Called before an operation; what it throws is the fault of the sink. */
  before: (operation: string) => void = () => {};
  /** Called after a write took effect. */
  after: (operation: string) => void = () => {};
  private readonly isWriteOnly: boolean;

  readonly id: string;

  constructor(
    id: string,
    { adopt = false, onDestroy = 'keep', withheld, propagateSeconds = 0, isWriteOnly = false }: MemorySinkOptions = {},
  ) {
    this.id = id;
    this.adopt = adopt;
    this.onDestroy = onDestroy;
    this.propagateSeconds = propagateSeconds;
    this.isWriteOnly = isWriteOnly;
    if (withheld !== undefined) this.withheld = withheld;
  }

  private call(operation: string): void {
    this.calls.push(operation);
    this.before(operation);
  }

  async probe(): Promise<SinkHolder> {
    this.call('probe');
    if (this.held === undefined) return 'absent';
    return this.held.isOurs ? 'ours' : 'foreign';
  }

  async compare(secret: Secret): Promise<SinkMatch> {
    this.call('compare');
    if (this.held === undefined) return 'absent';
    return secret.is(this.held.secret.reveal()) ? 'current' : 'other';
  }

  async write(secret: Secret, metadata: SinkMetadata): Promise<void> {
    this.call('write');
    this.held = { secret, isOurs: true, metadata };
    this.after('write');
  }

  async read(): Promise<Secret | undefined> {
    this.call('read');
    return this.isWriteOnly ? undefined : this.held?.secret;
  }

  async remove(): Promise<void> {
    this.call('remove');
    this.held = undefined;
    this.after('remove');
  }

  /** The writes and removals so far. */
  get writes(): number {
    return this.calls.filter((call) => call === 'write' || call === 'remove').length;
  }

  /** From now on these operations fail. */
  failing(code: FaultCode, operations: readonly string[] = ['probe', 'compare', 'write', 'read', 'remove']): void {
    this.before = (operation) => {
      if (operations.includes(operation)) throw new Fault(code, `${this.id} fails`);
    };
  }
}

/** The sinks of keys, by name. */
export const sinksBy = (sinks: Readonly<Record<string, readonly SecretSink[]>>): SinkAccess => ({
  of: (name) => sinks[name] ?? [],
  metadataOf: (key) => ({ key }),
});
