import type { Secret, SinkAudience, SinkEnd, SinkKind } from '../../domain/index.ts';

/** The entry of a sink: nothing, one that Keyplane wrote, or one of somebody else. */
export type SinkHolder = 'absent' | 'ours' | 'foreign';

/** Does a sink hold a secret? `unknown`: it cannot be read, and nothing shows what was written to it. */
export type SinkMatch = 'current' | 'other' | 'absent' | 'unknown';

/** Facts about the key that a sink may keep next to the secret. Never secret. */
export interface SinkMetadata {
  /** The name of the key. */
  readonly key: string;
  /** The owner of the key. */
  readonly owner?: string;
  /** The labels of the key. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * A place where the secret of a key is delivered. One contract, a body for each kind of sink.
 *
 * Every method throws a Fault. A write that throws a fault whose `retry` is `look` may have taken effect; a write that throws
 * any other has not.
 */
export interface SecretSink {
  /** For people, the same in every run: `file .env OPENAI_API_KEY`. */
  readonly id: string;
  /** The kind of the sink. */
  readonly kind: SinkKind;
  /** Takes over an entry of somebody else. */
  readonly adopt: boolean;
  /** The time until readers of the sink have a new secret. */
  readonly propagateSeconds: number;
  /** The end of the secret in the sink when its key is destroyed. */
  readonly onDestroy: SinkEnd;
  /** Given when this run may not contact the sink: then no method is called. */
  readonly withheld?: string;
  /**
   * Verifies that the sink can be reached and written to, and finds out whose entry it has. Writes nothing.
   *
   * @throws Fault `sink.*`, `file.unwritable` when a write would fail
   */
  probe(signal?: AbortSignal): Promise<SinkHolder>;
  /**
   * Returns who and what gets the secret with the sink; omitted: only those who can read its place. Then `compare` does not depend on it.
   * Who got it before is known only where a record was made with one of these secrets of the key: others may have changed the record.
   */
  audience?(secrets: readonly Secret[]): Promise<SinkAudience>;
  /** Does the sink hold this secret, for its present audience? Compares it with the value, or with a fingerprint. Never writes to the place. */
  compare(secret: Secret, signal?: AbortSignal): Promise<SinkMatch>;
  /**
   * Writes the secret. Repeating it changes nothing. Where the sink can, the write is conditional on what was read: then it
   * throws `sink.stale` when somebody else wrote at the same moment.
   */
  write(secret: Secret, metadata: SinkMetadata, signal?: AbortSignal): Promise<void>;
  /** Returns the value that the sink holds, as its readers get it; undefined when it has none, or cannot be read. */
  read(signal?: AbortSignal): Promise<Secret | undefined>;
  /**
   * Describes who else can read the secret in its place, as the end of a sentence; omitted or undefined: nobody that the sink knows of.
   * Called after a write.
   */
  exposure?(): Promise<string | undefined>;
  /** Removes the entry, and nothing else. Repeating it changes nothing. */
  remove(signal?: AbortSignal): Promise<void>;
}

/** The methods of a sink, without what a manifest declares about it. */
export type SinkOperations = Pick<
  SecretSink,
  'probe' | 'audience' | 'compare' | 'write' | 'read' | 'exposure' | 'remove'
>;

/** The sinks of the declared keys. */
export interface SinkAccess {
  /** The sinks of a key, in declared order; empty when it has none. */
  readonly of: (name: string) => readonly SecretSink[];
  /** The metadata of a key, by its name in the manifest. */
  readonly metadataOf: (name: string) => SinkMetadata;
}
