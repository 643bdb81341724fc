import { audienceOf, type Delivery, type DeliveryReason, declaredName, type Plan } from '../../domain/index.ts';
import type { ObservedSink } from './observe-sinks.ts';
import type { SinkAccess } from './port.ts';

/** The reasons to deliver the first secret of a key. */
const OF_FIRST: readonly DeliveryReason[] = ['new-key', 'replaces'];

/** The deliveries that a plan makes necessary. A key that gets a successor has a new secret, whatever its sinks hold. */
export function planDeliveries({ changes }: Plan, observed: readonly ObservedSink[]): readonly Delivery[] {
  const born = new Set(changes.flatMap((change) => (change.verb === 'create' ? [declaredName(change)] : [])));
  return observed.flatMap((sink): readonly Delivery[] => {
    const isFirst = sink.action === 'write' && OF_FIRST.includes(sink.reason);
    const isRotated = born.has(sink.name) && (sink.action === 'current' || sink.action === 'write') && !isFirst;
    if (isRotated) return [{ ...sink, action: 'write', reason: 'rotated' }];
    return sink.action === 'current' ? [] : [sink];
  });
}

const stepOf = (delivery: Delivery): string => {
  const { action, name, sink } = delivery;
  return JSON.stringify([action, name, sink, audienceOf(delivery)?.now]);
};

/** The deliveries of a saved plan that are still necessary. What became necessary since is left to the next plan. */
export function reviewedDeliveries(saved: Plan, now: readonly Delivery[]): readonly Delivery[] {
  const reviewed = new Set((saved.deliveries ?? []).map(stepOf));
  return now.filter((delivery) => delivery.action === 'blocked' || reviewed.has(stepOf(delivery)));
}

/** The sinks that are to lose the secrets of the keys that a plan deletes. */
export function planRemovals({ changes }: Plan, sinks: SinkAccess): readonly Delivery[] {
  const names = new Set(changes.flatMap((change) => (change.verb === 'delete' ? [declaredName(change)] : [])));
  return [...names].flatMap((name) =>
    sinks
      .of(name)
      .filter(({ onDestroy }) => onDestroy === 'remove')
      .map(({ id, kind }) => ({ name, sink: id, kind, action: 'remove' as const })),
  );
}
