import {
  audienceOf,
  type Delivery,
  type DeliveryOutcome,
  type DeliveryReason,
  isUndelivered,
} from '../../domain/index.ts';
import { hang } from './layout/columns.ts';
import type { Paint, TextStyle } from './layout/paint.ts';
import { printable, quoted } from './layout/printable.ts';
import { hintOf } from './remedies.ts';
import type { Wording } from './wording.ts';

const REASONS: Readonly<Record<DeliveryReason, string>> = {
  'new-key': 'the key is new',
  replaces: 'the key is new, and its secret replaces the value that the sink holds',
  rotated: 'the key gets a successor',
  absent: 'the sink has no entry',
  differs: 'the sink holds another value',
  unknown: 'nothing shows what the sink holds',
  audience: 'the recipients, programs or variables of the sink have changed',
};

interface Words {
  readonly symbol: string;
  readonly words: Readonly<Record<Wording['edits'], string>>;
  readonly colour: (paint: Paint) => (text: string) => string;
}

const ACTIONS: Readonly<Record<Delivery['action'], Words>> = {
  write: { symbol: '>', words: { arrow: 'deliver', sides: 'undelivered' }, colour: (paint) => paint.change },
  remove: { symbol: '-', words: { arrow: 'remove', sides: 'remove' }, colour: (paint) => paint.bad },
  blocked: { symbol: '!', words: { arrow: 'BLOCKED', sides: 'BLOCKED' }, colour: (paint) => paint.bad },
  withheld: { symbol: '?', words: { arrow: 'unseen', sides: 'unseen' }, colour: (paint) => paint.faint },
};

/** The reason for a delivery, or for the lack of one. */
function whyOf(delivery: Delivery): string {
  switch (delivery.action) {
    case 'write':
      return REASONS[delivery.reason];
    case 'remove':
      return 'the key is to be destroyed';
    case 'blocked':
      return `${delivery.code}: ${delivery.why}`;
    case 'withheld':
      return `${delivery.why}. ${hintOf({ remedy: 'allow-sink' })}`;
    default:
      return delivery satisfies never;
  }
}

/** Lists who and what else gets the secret: `+` for those who did not get the last one, `-` for those who got only that. */
function audienceLines(delivery: Delivery): readonly string[] {
  const { now = [], before = [] } = audienceOf(delivery) ?? {};
  const added = now.filter((each) => !before.includes(each)).map((each) => `+ ${each}`);
  const removed = before.filter((each) => !now.includes(each)).map((each) => `- ${each}`);
  const kept = now.filter((each) => before.includes(each)).map((each) => `  ${each}`);
  return [...added, ...removed, ...kept].map(printable);
}

/** A delivery as every format shows it. */
export function reportedDelivery(delivery: Delivery, { edits }: Pick<Wording, 'edits'>) {
  const { symbol, words } = ACTIONS[delivery.action];
  return {
    name: delivery.name,
    subject: quoted(delivery.name),
    title: `${words[edits]} ${quoted(delivery.name)} to ${printable(delivery.sink)}`,
    symbol,
    word: words[edits],
    pending: isUndelivered(delivery),
    withheld: false,
    reported: true,
    lines: [`sink: ${printable(delivery.sink)}`, printable(whyOf(delivery)), ...audienceLines(delivery)],
  };
}

/** The sinks of a plan that do not hold the secrets of their keys; empty when there are none. */
export function renderDeliveries(
  deliveries: readonly Delivery[],
  { paint, width, edits }: TextStyle & Pick<Wording, 'edits'>,
): string {
  if (deliveries.length === 0) return '';
  const lines = deliveries.flatMap((delivery) => {
    const { symbol, words, colour } = ACTIONS[delivery.action];
    const head = `${symbol} ${words[edits].padEnd(8)} ${quoted(delivery.name)} to ${printable(delivery.sink)}`;
    const audience = audienceLines(delivery).map((line) => `    ${line}`);
    return [colour(paint)(head), ...hang('    ', printable(whyOf(delivery)), width), ...audience];
  });
  return ['Secrets', ...lines].join('\n');
}

const STATES: Readonly<Record<DeliveryOutcome['state'], string>> = {
  delivered: 'done',
  removed: 'done',
  failed: 'FAILED',
  indeterminate: 'UNKNOWN',
  skipped: 'skipped',
};

/** The outcomes of deliveries, with the reason under each that did not simply succeed. */
export function renderDeliveryOutcomes(outcomes: readonly DeliveryOutcome[], { paint, width }: TextStyle): string {
  if (outcomes.length === 0) return '';
  const indent = ' '.repeat(8);
  const lines = outcomes.flatMap((outcome) => {
    const { state, delivery } = outcome;
    const isDone = state === 'delivered' || state === 'removed';
    const verb = delivery.action === 'remove' ? 'remove' : 'deliver';
    const head = `${STATES[state].padEnd(7)} ${verb} ${quoted(delivery.name)} to ${printable(delivery.sink)}`;
    const more: string[] = [];
    if (state === 'delivered' && !outcome.verified)
      more.push(...hang(indent, 'not read back: the sink cannot be read', width));
    if (state === 'delivered' && outcome.remark !== undefined)
      more.push(...hang(`${indent}warning: `, printable(outcome.remark), width));
    if (state === 'skipped') more.push(...hang(indent, printable(outcome.reason), width));
    if ('fault' in outcome) {
      more.push(...hang(`${indent}${outcome.fault.code}: `, printable(outcome.fault.message), width));
      const hint = hintOf(outcome.fault);
      if (hint) more.push(...hang(`${indent}hint: `, printable(hint), width));
    }
    return [paint[isDone ? 'good' : state === 'skipped' ? 'change' : 'bad'](head), ...more];
  });
  return ['Secrets', ...lines].join('\n');
}
