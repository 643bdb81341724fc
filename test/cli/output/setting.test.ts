import { describe, expect, it } from 'vitest';
import { editRows } from '../../../src/cli/output/setting.ts';
import { decimalOf, quota } from '../../../src/domain/index.ts';

const SCALE = { quotaPerUnit: decimalOf(500_000), now: 0 };
const CEILING = { unlimited: false, remain: quota(0) };

const rowOf = (before: string, after: string) =>
  editRows([{ field: 'smartRouteTiers', before, after }], CEILING, SCALE);

describe('an edit of long JSON', () => {
  const models = Array.from({ length: 60 }, (_, i) => `alpha-chat-${i}`);
  const tiersWith = (last: string): string => JSON.stringify([[...models, last], models]);

  it('shows the whole difference, however far into it that is', () => {
    const [row] = rowOf(tiersWith('beta'), tiersWith('any-model-at-all'));
    expect(row).toMatchObject({ before: expect.stringMatching(/^….*"beta"\],\["alpha-chat-0".*…$/) });
    expect(row).toMatchObject({ after: expect.stringContaining('"any-model-at-all"],') });
  });

  it('shows all of a difference that is long itself', () => {
    const [row] = rowOf('[["beta"]]', tiersWith('gamma'));
    expect(row).toMatchObject({ before: '[["beta"]]', after: tiersWith('gamma') });
  });

  it('shows a short text whole', () => {
    expect(rowOf('[["alpha"]]', '[["alpha"],["beta"]]')).toMatchObject([
      { before: '[["alpha"]]', after: '[["alpha"],["beta"]]' },
    ]);
    expect(rowOf('[["alpha"]]', '')).toMatchObject([{ before: '[["alpha"]]', after: 'none' }]);
  });
});
