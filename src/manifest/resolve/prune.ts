import { DAY_SECONDS, type Ownership, tryParseDuration } from '../../domain/index.ts';
import type { Report } from '../../source/index.ts';
import type { OWNERSHIP_FORMS } from '../schema/manifest.ts';
import type { Validated, ValidatedFields } from '../validate/fields.ts';
import { describeNode, tryFindNode } from '../yaml/node.ts';

type Fields = ValidatedFields<typeof OWNERSHIP_FORMS>;
type PruneField = NonNullable<Fields['prune']>;

const LEAST_DAYS = 1;
const MOST_DAYS = 3650;

/** Returns what happens to owned keys that are not declared. */
export function pruneOf(field: Fields['prune']): Pick<Ownership, 'prune' | 'quarantine'> {
  const value = field?.value ?? 'never';
  if (typeof value === 'string') return { prune: value };
  const seconds = tryParseDuration(value.quarantine ?? '');
  return { prune: value.mode, ...(seconds !== undefined && { quarantine: seconds }) };
}

/** Reports a pruning that has no effect, and a quarantine that is none. */
export function checkPrune({ scope, prune }: Fields, report: Report): void {
  if (!prune) return;
  const { prune: mode } = pruneOf(prune);
  checkQuarantine(prune, report);
  // Without a scope a manifest owns only the keys that it declares, so that there is nothing to prune.
  if (scope || mode === 'never') return;
  report.problem({
    code: 'manifest.no-effect',
    severity: 'warning',
    at: prune.node.place,
    message: '`prune` has no effect without `scope`: the manifest owns only the keys that it declares.',
    found: mode,
    expected: 'a `scope`, such as `"prod-*"`',
    hint: 'Add a scope that matches the keys to prune, or remove `prune`.',
  });
}

function checkQuarantine(prune: Validated<PruneField['value']>, report: Report): void {
  const { prune: mode, quarantine } = pruneOf(prune);
  if (quarantine === undefined) return;
  const at = tryFindNode(prune.node, ['quarantine']) ?? prune.node;
  const common = { code: 'manifest.invalid-value', at: at.place, found: describeNode(at) } as const;
  if (mode !== 'delete') {
    report.problem({
      ...common,
      message: 'A quarantine ends with a deletion.',
      expected: '`mode: delete`',
      hint: `Write \`mode: delete\`, or remove \`quarantine\`.`,
    });
  }
  const days = quarantine / DAY_SECONDS;
  if (Number.isInteger(days) && days >= LEAST_DAYS && days <= MOST_DAYS) return;
  report.problem({
    ...common,
    message: 'A quarantine lasts for whole days: the name of a key in quarantine states only the day.',
    expected: `\`${LEAST_DAYS}d\` to \`${MOST_DAYS}d\``,
    hint: 'Write days, like `14d`.',
  });
}
