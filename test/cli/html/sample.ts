import {
  type CheckReport,
  type CheckResult,
  type Exhibit,
  type MediaFacts,
  quota,
  type Verdict,
} from '../../../src/domain/index.ts';
import { readMediaFacts } from '../../../src/media/index.ts';
import { film, paint } from '../../../src/synthetic/index.ts';
import { EVERY_KIND, reportOf, resultOf } from '../sample-report.ts';

/** The sources of the reference gateway's own models: what they make is real. */
const SUBJECT = { text: 'A paper boat on a calm lake', seed: 7 };

const pictureOf = (width: number, height: number, format: 'png' | 'webp'): Promise<Uint8Array> =>
  paint({ ...SUBJECT, width, height, format, background: 'opaque' });

export const filmOf = (seconds: number): Promise<Uint8Array> =>
  film({ ...SUBJECT, width: 640, height: 360, seconds, audio: true, watermark: false });

async function exhibitOf(title: string, mediaType: string, bytes: Uint8Array): Promise<Exhibit> {
  const facts: MediaFacts | undefined = await readMediaFacts(bytes).catch(() => undefined);
  return { title, mediaType, bytes, ...(facts ? { facts } : {}) };
}

/** Seconds of the film that the sample page shows. */
export const FILM_SECONDS = 4;

async function media(): Promise<readonly CheckResult[]> {
  const poster = await exhibitOf('poster', 'image/png', await pictureOf(1024, 768, 'png'));
  const banner = await exhibitOf('banner', 'image/webp', await pictureOf(1536, 640, 'webp'));
  const clip = await exhibitOf('clip', 'video/mp4', await filmOf(FILM_SECONDS));
  const torn: Exhibit = { title: 'torn', mediaType: 'image/png', bytes: poster.bytes.slice(0, 40) };
  const costly = { key: 'prod-studio', schedule: 'costly' } as const;
  return [
    resultOf({
      ...costly,
      check: 'poster',
      module: 'image',
      model: 'alpha-image-2',
      verdict: 'passed',
      durationMs: 21_400,
      firstByteMs: 20_900,
      cost: { estimated: quota(20_000), charged: quota(20_500) },
      exhibits: [poster, banner],
      findings: [
        { claim: 'the picture decodes as PNG', holds: true, found: 'png' },
        { claim: 'the picture has 1024 × 768 pixels', holds: true },
      ],
    }),
    resultOf({
      ...costly,
      check: 'clip',
      module: 'video',
      model: 'download-video-1',
      verdict: 'passed',
      durationMs: 96_300,
      firstByteMs: 610,
      taskId: 'task-20261121-0001',
      cost: { charged: quota(180_000) },
      exhibits: [clip],
    }),
    resultOf({
      ...costly,
      key: 'prod-checkout',
      check: 'poster',
      module: 'image',
      verdict: 'failed',
      reason: 'not so: the picture decodes as PNG (found 40 bytes that end in the middle)',
      findings: [{ claim: 'the picture decodes as PNG', holds: false, found: '40 bytes that end in the middle' }],
      exhibits: [torn],
    }),
  ];
}

/** A report with every verdict, with pictures and a film. */
export async function sampleReport(more: Partial<CheckReport> = {}): Promise<CheckReport> {
  const kept = EVERY_KIND.filter(({ check }) => check !== 'poster');
  return reportOf([...kept, ...(await media())], { durationMs: 101_000, cap: quota(500_000), ...more });
}

const DAY = 86_400_000;

/** Earlier runs of the same checks, the newest last: now and then one failed or needed a second attempt. */
export function sampleHistory({ account, startedAt, results }: CheckReport, runs = 12) {
  if (account === undefined) throw new Error('a history belongs to an account');
  const verdictOf = (run: number, index: number): Verdict => ((run + index) % 5 === 0 ? 'failed' : 'passed');
  return {
    passedOver: 2,
    runs: Array.from({ length: runs }, (_, run) => ({
      version: 1 as const,
      account,
      startedAt: startedAt - (runs - run) * DAY,
      durationMs: 90_000 + run * 100,
      results: results.map(({ key, check, durationMs }, index) => ({
        key,
        check,
        verdict: verdictOf(run, index),
        attempts: (run + index) % 7 === 0 ? 2 : 1,
        durationMs: Math.round((durationMs ?? 500) * (0.7 + ((run * 7 + index * 3) % 10) / 16)),
      })),
    })),
  };
}
