import { Fault, keyId, renderInstant } from '../../domain/index.ts';
import type { Gateway } from '../../gateway/index.ts';
import { type Claim, holderText } from '../../reconcile/index.ts';
import { EXIT } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { printable } from '../output/layout/printable.ts';
import { renderTable } from '../output/layout/table.ts';
import type { Context, Result } from '../program/command.ts';
import { confirm } from '../session/confirm.ts';
import { withGateway } from '../session/connect.ts';
import { tryReadManifestOf } from '../session/manifest-input.ts';

async function withClaims(
  context: Context,
  work: (claims: Gateway['claims'], found: readonly Claim[]) => Promise<Result>,
): Promise<Result> {
  const manifest = await tryReadManifestOf(context);
  return await withGateway(context, manifest?.gateway, async ({ claims }) => {
    await claims.verifyAccount();
    const found = await claims.list();
    return await work(
      claims,
      [...found].sort((a, b) => a.id - b.id),
    );
  });
}

const dataOf = (claims: readonly Claim[]) =>
  claims.map(({ id, note }) => {
    if (note === undefined) return { id, readable: false };
    const { process, host, run, since, beat } = note;
    return { id, readable: true, process, host, run, since, renewals: beat };
  });

const NOBODY = 'No run holds the lock.';

function render(claims: readonly Claim[], width: number): string {
  if (claims.length === 0) return NOBODY;
  const columns = [
    { title: 'ID', align: 'right' as const },
    { title: 'HOST', shrinks: true as const },
    { title: 'PROCESS', align: 'right' as const },
    { title: 'SINCE' },
    { title: 'RENEWALS', align: 'right' as const },
    { title: 'JOB', shrinks: true as const },
  ];
  const rows = claims.map(({ id, note }) =>
    note
      ? [
          String(id),
          printable(note.host),
          String(note.process),
          renderInstant(note.since),
          String(note.beat),
          printable(note.run ?? '-'),
        ]
      : [String(id), '-', '-', '-', '-', '(unreadable)'],
  );
  return renderTable(columns, rows, width);
}

/** Shows which runs hold the lock of the account, or wait for it. */
export const lockListAction = (context: Context): Promise<Result> =>
  withClaims(context, async (_, found) => ({
    exit: EXIT.done,
    data: plain({ claims: dataOf(found) }),
    text: render(found, context.width.out),
  }));

const titleOf = ({ id, note }: Claim): string =>
  note === undefined ? `claim ${id}` : `claim ${id} (${printable(holderText(note))})`;

/** @throws Fault `usage.invalid` when the argument does not name one of the claims, or is missing and there are several. */
function findClaim({ arguments: [word] }: Context, found: readonly Claim[]): Claim | undefined {
  const id = word !== undefined && /^[1-9]\d{0,14}$/.test(word) ? keyId(Number(word)) : undefined;
  const chosen = word === undefined ? found : found.filter((claim) => claim.id === id);
  const [first] = chosen;
  if (chosen.length === 1 || (word === undefined && first === undefined)) return first;
  throw new Fault(
    'usage.invalid',
    word === undefined ? 'Several runs have a claim.' : `There is no claim ${printable(word)}.`,
    { hint: `The claims are: ${found.map(titleOf).join(', ') || 'none'}.` },
  );
}

/** Removes a claim of another run, whether or not that run still exists. */
export const lockBreakAction = (context: Context): Promise<Result> =>
  withClaims(context, async (claims, found) => {
    const claim = findClaim(context, found);
    if (claim === undefined) return { exit: EXIT.done, data: plain({ removed: [] }), text: NOBODY };
    const about = `${titleOf(claim)} will be removed. If that run still exists, it stops before its next write, at the latest after 30 seconds; until then, two runs may write.`;
    await confirm(context, { about: about.replace(/^c/, 'C'), expect: 'yes' });
    await claims.remove(claim.id);
    return { exit: EXIT.done, data: plain({ removed: dataOf([claim]) }), text: `${titleOf(claim)}: removed` };
  });
