import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { renderChangeMarkdown } from '../../../src/cli/output/changes/markdown.ts';
import { renderDiagnostics } from '../../../src/cli/output/diagnostics.ts';
import { renderDoctorResults } from '../../../src/cli/output/doctor.ts';
import { widthOf } from '../../../src/cli/output/layout/columns.ts';
import { PLAIN, paintOf } from '../../../src/cli/output/layout/paint.ts';
import { renderPlan } from '../../../src/cli/output/plan.ts';
import { renderRefusals } from '../../../src/cli/output/refusals.ts';
import { renderReport } from '../../../src/cli/output/report.ts';
import { DRIFT_WORDING, PLAN_WORDING } from '../../../src/cli/output/wording.ts';
import {
  type ApplyReport,
  type Diagnostic,
  Fault,
  keyId,
  keyName,
  planNote,
  quota,
} from '../../../src/domain/index.ts';
import { AT, CHANGES, HELD, PLAN, pending } from '../samples.ts';

const LOOK = { paint: PLAIN, width: 80 };
const golden = (name: string): string => resolve(import.meta.dirname, `../../golden/render/${name}.txt`);
const tooWide = (text: string): string[] => text.split('\n').filter((line) => widthOf(line) > 80);

describe('at 80 columns and without colour', () => {
  it('a plan reads like this', async () => {
    const text = renderPlan(PLAN, AT + 90, LOOK);
    await expect(`${text}\n`).toMatchFileSnapshot(golden('1-plan'));
    expect(tooWide(text)).toEqual([]);
  });

  it('a plan without change reads like this', async () => {
    const changes = CHANGES.filter(({ verb }) => verb === 'keep');
    await expect(`${renderPlan({ ...PLAN, changes, notes: [], invisible: 0 }, AT, LOOK)}\n`).toMatchFileSnapshot(
      golden('2-nothing-to-do'),
    );
  });

  const held = { ...PLAN, changes: [HELD, pending('disable')], notes: [], invisible: 0 };

  it('a plan with a held enable reads like this', async () => {
    const text = renderPlan(held, AT, LOOK);
    await expect(`${text}\n`).toMatchFileSnapshot(golden('9-held-enable'));
    expect(tooWide(text)).toEqual([]);
  });

  it.each([
    ['plan', PLAN_WORDING],
    ['drift', DRIFT_WORDING],
  ])('a held enable reads like this in the Markdown of a %s', async (name, wording) => {
    const text = renderChangeMarkdown({ plan: held, now: AT, wording, refusals: [] });
    await expect(text).toMatchFileSnapshot(golden(`10-held-enable-${name}-markdown`));
  });

  it('the report of an apply that left a key disabled reads like this', async () => {
    const report: ApplyReport = {
      plan: held,
      outcomes: [{ state: 'applied', change: pending('disable'), id: keyId(9) }],
      corrections: [],
      after: { ...PLAN, changes: [HELD] },
      interrupted: false,
    };
    await expect(`${renderReport(report, LOOK)}\n`).toMatchFileSnapshot(golden('11-report-left-disabled'));
  });

  it('drift reads like this', async () => {
    const changes = CHANGES.filter(({ verb }) => verb !== 'create');
    const text = renderPlan({ ...PLAN, changes, notes: [] }, AT, { ...LOOK, wording: DRIFT_WORDING });
    await expect(`${text}\n`).toMatchFileSnapshot(golden('3-drift'));
    expect(tooWide(text)).toEqual([]);
  });

  it('the report of an apply that went wrong in part reads like this', async () => {
    const report: ApplyReport = {
      plan: PLAN,
      outcomes: [
        {
          state: 'left-enabled',
          change: { ...pending('create'), name: keyName('prod-paused-2'), enabled: false },
          id: keyId(32),
          fault: new Fault('gateway.timeout', '“prod-paused-2” was created (ID 32) and is still enabled: no answer', {
            hint: 'Run the command again, or disable the key at the gateway: until then it works.',
            remedy: 'disable-keys',
          }),
        },
        { state: 'applied', change: pending('create'), id: keyId(31) },
        {
          state: 'applied',
          change: pending('rename'),
          id: keyId(3),
          remark: 'its response was lost; its effect was looked up',
        },
        {
          state: 'failed',
          change: pending('update'),
          fault: new Fault(
            'gateway.refused',
            'PUT /api/token/: the gateway refuses (status 200): group\u001b[0m gone',
            {
              hint: 'Look at the account’s groups.',
            },
          ),
        },
        {
          state: 'indeterminate',
          change: pending('disable'),
          fault: new Fault('gateway.timeout', 'PUT /api/token/: no answer came in time.'),
        },
        { state: 'skipped', change: pending('enable'), reason: 'the update of its settings did not succeed' },
      ],
      corrections: [
        { id: keyId(3), name: 'prod-search', units: quota(1234), takenBack: true },
        { id: keyId(7), name: 'prod-support-bot', units: quota(500_000), takenBack: false },
      ],
      after: {
        ...PLAN,
        changes: [pending('update'), pending('disable')],
        notes: [...PLAN.notes, planNote('not-supported', 'this gateway does not have smart routing', 'prod-search')],
      },
      interrupted: false,
    };
    const text = renderReport(report, LOOK);
    await expect(`${text}\n`).toMatchFileSnapshot(golden('4-report'));
    expect(tooWide(text)).toEqual([]);
  });

  it('the report of an apply that was cut short reads like this', async () => {
    const fatal = new Fault('credentials.refused', 'The gateway refuses the token.', { hint: 'Was it rotated?' });
    const outcomes = [{ state: 'skipped' as const, change: pending('create'), reason: 'not begun' }];
    const report = { plan: PLAN, outcomes, corrections: [], fatal, interrupted: true };
    await expect(`${renderReport(report, LOOK)}\n`).toMatchFileSnapshot(golden('5-report-cut-short'));
  });

  it('diagnostics read like this', async () => {
    const source = 'version: 1\nkeys:\n  prod-search:\n    modles: [a]\n  Prod-Search: {}\n';
    const diagnostics: Diagnostic[] = [
      {
        severity: 'error',
        code: 'manifest.unknown-field',
        message: 'a key has no field “modles”',
        hint: 'did you mean “models”?',
        place: { file: 'keyplane.yaml', line: 4, column: 5, endLine: 4, endColumn: 11 },
      },
      {
        severity: 'error',
        code: 'manifest.duplicate-key',
        message: 'two names differ only by case',
        place: { file: 'keyplane.yaml', line: 5, column: 3, endLine: 5, endColumn: 14 },
        related: [
          { place: { file: 'keyplane.yaml', line: 3, column: 3, endLine: 3, endColumn: 14 }, message: 'the first one' },
        ],
      },
      {
        severity: 'warning',
        code: 'manifest.past-expiry',
        message: 'the key is expired already',
        found: '2020-01-01T00:00:00Z',
        expected: 'a time to come',
        place: { file: 'elsewhere.yaml', line: 1, column: 1 },
      },
    ];
    const text = renderDiagnostics({ diagnostics, sources: new Map([['keyplane.yaml', source]]) }, LOOK);
    await expect(`${text}\n`).toMatchFileSnapshot(golden('6-diagnostics'));
    expect(tooWide(text)).toEqual([]);
  });

  it('equal warnings about more than two places are shown once, with the other places', () => {
    const warnings = (count: number, severity: 'warning' | 'error' = 'warning'): Diagnostic[] =>
      Array.from({ length: count }, (_, i) => ({
        severity,
        code: 'manifest.past-expiry',
        message: 'It is expired.',
        found: `year ${2000 + i}`,
        place: { file: 'all.yaml', line: i + 1, column: 14 },
      }));
    const shown = (diagnostics: readonly Diagnostic[]) => renderDiagnostics({ diagnostics, sources: new Map() }, LOOK);
    const count = (text: string) => text.match(/It is expired/g)?.length;
    expect(count(shown(warnings(2)))).toBe(2);
    expect(count(shown(warnings(3, 'error')))).toBe(3);
    const three = shown(warnings(3));
    expect(count(three)).toBe(1);
    expect(three).toContain('  also: all.yaml:2:14, all.yaml:3:14\n');
    expect(shown(warnings(8)).replace(/\s+/g, ' ')).toContain('all.yaml:5:14, all.yaml:6:14 and 2 more found:');
  });

  it('more diagnostics than anybody reads are counted', () => {
    const diagnostic = { severity: 'error', code: 'manifest.unknown-field', message: 'unknown' } as const;
    const text = renderDiagnostics({ diagnostics: Array(203).fill(diagnostic), sources: new Map() }, LOOK);
    expect(text.match(/manifest\.unknown-field/g)).toHaveLength(200);
    expect(text.endsWith('\n\nand 3 errors more')).toBe(true);
  });

  it('refusals and results of the doctor read like this', async () => {
    const refusals = renderRefusals(
      [
        {
          severity: 'error',
          code: 'guard.mass-change',
          message: '12 of 14 owned keys would be deleted or disabled; the limit is 30 % of them.',
          data: { count: 12, names: [] },
        },
      ],
      { ...LOOK, severity: 'warning' },
    );
    const results = renderDoctorResults(
      [
        { check: 'manifest', state: 'skipped', message: 'there is no keyplane.yaml here; `keyplane init` creates one' },
        { check: 'address', state: 'ok', message: 'https://gateway.example.com' },
        {
          check: 'clock',
          state: 'warning',
          message: 'this machine is 3 minutes ahead of the gateway.',
          hint: 'Set it.',
        },
        {
          check: 'connection',
          state: 'failed',
          fault: new Fault(
            'gateway.unreachable',
            'GET /api/status: the TLS certificate of gateway.example.com is expired or not yet valid.',
            { hint: 'Renew the gateway’s certificate, or correct the clock of this machine.' },
          ),
        },
      ],
      PLAIN,
      80,
    );
    await expect(`${refusals}\n\n${results}\n`).toMatchFileSnapshot(golden('7-refusals-and-findings'));
  });
});

describe('with colour', () => {
  it('the text is the same, and nothing more', () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character begins a colour.
    const bare = renderPlan(PLAN, AT, { ...LOOK, paint: paintOf(true) }).replace(/\u001b\[\d+m/g, '');
    expect(bare).toBe(renderPlan(PLAN, AT, LOOK));
  });
});
