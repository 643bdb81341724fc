import type { Place } from '../diagnostic.ts';
import type { Fault, FaultCode } from '../fault.ts';
import type { SinkKind } from '../key/sink.ts';

/**
 * The reasons to write a secret to a sink: the key is new, it is new and the sink holds a value already, it gets a successor, the sink has no entry, it holds another value,
 * nothing shows what it holds, or others get the secret with it than those who got it last.
 */
export const DELIVERY_REASONS = ['new-key', 'replaces', 'rotated', 'absent', 'differs', 'unknown', 'audience'] as const;
export type DeliveryReason = (typeof DELIVERY_REASONS)[number];

/** The recipients, programs and variables that get a secret with its sink, in addition to those who can read its place. For people. */
export type SinkAudience = {
  readonly now: readonly string[];
  /** At the last write; absent: unknown. */
  readonly before?: readonly string[];
};

/** Is it the audience that a sink had before? One without any needs no record of that. */
export const isSameAudience = (now: readonly string[], before: readonly string[] | undefined): boolean =>
  JSON.stringify(now) === JSON.stringify(before ?? []);

/** One sink of one key. */
export interface SinkOfKey {
  /** The declared name of the key. */
  readonly name: string;
  /** The sink, for people. */
  readonly sink: string;
  readonly kind: SinkKind;
  readonly place?: Place;
}

/** Something to do about one sink of one key, or the reason why it cannot be done. A sink that is current has none. */
export type Delivery =
  | (SinkOfKey & { readonly action: 'write'; readonly reason: DeliveryReason; readonly audience?: SinkAudience })
  /** The key ends, and its sink is to lose the secret. */
  | (SinkOfKey & { readonly action: 'remove' })
  /** An apply would fail: the sink belongs to somebody else, or cannot be reached. */
  | (SinkOfKey & { readonly action: 'blocked'; readonly code: FaultCode; readonly why: string })
  /** This run may not contact the sink, so nothing is known. */
  | (SinkOfKey & { readonly action: 'withheld'; readonly why: string });

export type WriteDelivery = Extract<Delivery, { action: 'write' }>;
export type RemoveDelivery = Extract<Delivery, { action: 'remove' }>;

/** The outcome of one delivery. `delivered` and not `verified`: the sink cannot be read. */
export type DeliveryOutcome =
  | {
      readonly state: 'delivered';
      readonly delivery: WriteDelivery;
      readonly verified: boolean;
      /** The others who can read the secret in the sink. */
      readonly remark?: string;
    }
  | { readonly state: 'removed'; readonly delivery: RemoveDelivery }
  | { readonly state: 'failed' | 'indeterminate'; readonly delivery: Delivery; readonly fault: Fault }
  | { readonly state: 'skipped'; readonly delivery: Delivery; readonly reason: string };

/** The deliveries that an apply makes. */
export const pendingDeliveries = ({
  deliveries = [],
}: {
  readonly deliveries?: readonly Delivery[] | undefined;
}): readonly (WriteDelivery | RemoveDelivery)[] =>
  deliveries.filter((delivery) => delivery.action === 'write' || delivery.action === 'remove');

/** Is a sink not as declared, as far as it is known? */
export const isUndelivered = ({ action }: Delivery): boolean => action === 'write' || action === 'blocked';

/** The audience that a delivery gives the secret to; undefined where the sink has none, or nothing is written. */
export const audienceOf = (delivery: Delivery): SinkAudience | undefined =>
  delivery.action === 'write' ? delivery.audience : undefined;
