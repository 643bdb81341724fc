import {
  type Amount,
  type Budget,
  type Decimal,
  isMoreThan,
  quota,
  tryParseDecimal,
  tryParseWindow,
} from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import { found, type Tree, tryFindEntry } from '../yaml/tree.ts';

/** The exact number that a scalar writes: `0.10`, `1e3`, `.5`, `0x1F`. A float in between would round it. */
export function exactNumber(source: string): Decimal | undefined {
  const text = source.trim();
  if (/^[+-]?0[xo][0-9a-fA-F]+$/.test(text)) return { digits: BigInt(text.replace('+', '')), scale: 0 };
  return tryParseDecimal(text.replace(/^([+-]?)\./, '$10.').replace(/\.(?=$|[eE])/, ''));
}

const textOf = (node: Tree | undefined): string => {
  if (node?.kind !== 'scalar') return '';
  return typeof node.value === 'string' ? node.value : node.source;
};

/** The amount of a valid budget map; what can not be held exactly is reported. */
function amountOf(map: Tree, report: Report): Amount | undefined {
  const usd = tryFindEntry(map, 'usd')?.node;
  const node = usd ?? tryFindEntry(map, 'quota')?.node;
  const exact = exactNumber(textOf(node));
  if (usd && exact) return { usd: exact };
  if (exact && exact.scale >= 0) {
    const units = exact.digits / 10n ** BigInt(exact.scale);
    if (units <= BigInt(Number.MAX_SAFE_INTEGER)) return { quota: quota(Number(units)) };
  }
  report.problem({
    code: 'manifest.invalid-amount',
    at: (node ?? map).place,
    message: 'The amount can not be read as an exact number.',
    found: found(node ?? map),
    expected: 'a decimal number',
    hint: 'Write plain digits, like `25` or `0.50`.',
  });
  return undefined;
}

function topUp(amount: Amount, node: Tree, report: Report): Budget | undefined {
  const below = amountOf(node, report);
  if (!below) return undefined;
  if (!isMoreThan(below, amount)) return { kind: 'top-up', amount, below };
  report.problem({
    code: 'manifest.invalid-amount',
    at: node.place,
    message: '`below` is more than the budget.',
    found: found(node),
    expected: 'at most the amount that the key is filled up to',
    hint: 'A key would be filled up again at every run.',
  });
  return undefined;
}

/** The budget that a valid node writes. */
export function budgetOf(node: Tree, report: Report): Budget | undefined {
  if (node.kind !== 'map') return { kind: 'unlimited' };
  const amount = amountOf(node, report);
  if (!amount) return undefined;
  const below = tryFindEntry(node, 'below')?.node;
  if (below) return topUp(amount, below, report);
  const window = tryParseWindow(textOf(tryFindEntry(node, 'per')?.node));
  if (window) return { kind: 'window', amount, per: window };
  return { kind: tryFindEntry(node, 'initial') ? 'initial' : 'lifetime', amount };
}
