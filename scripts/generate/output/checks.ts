import * as z from 'zod';
import { CHECK_CLASSES, VERDICTS } from '../../../src/domain/index.ts';
import { account, fault, instant, keyId, quota } from './values.ts';

const count = z.int().min(0);

const facts = z.object({
  kind: z.enum(['image', 'video', 'audio']),
  format: z.string(),
  bytes: count,
  width: count.optional(),
  height: count.optional(),
  seconds: z.number().optional(),
  fps: z.number().optional(),
  videoCodec: z.string().nullable().optional(),
  audioCodec: z.string().nullable().optional(),
});

const checkResult = z
  .object({
    key: z.string(),
    keyId: keyId.optional(),
    check: z.string(),
    module: z.string(),
    schedule: z.enum(CHECK_CLASSES),
    model: z.string().optional(),
    verdict: z.enum(VERDICTS),
    reason: z.string().optional().describe('Absent if the check passed.'),
    hint: z.string().optional(),
    remedy: z.string().optional(),
    code: z.string().optional().describe('The code of the fault that ended it.'),
    findings: z.array(z.object({ claim: z.string(), holds: z.boolean(), found: z.string().optional() })),
    attempts: count.describe('0: it never ran.'),
    flaky: z.boolean(),
    startedAt: instant.optional(),
    durationMs: z.number().optional(),
    firstByteMs: z.number().optional(),
    cost: z.object({
      estimated: quota.optional(),
      estimateIsMaximum: z.boolean().optional(),
      charged: quota.optional(),
    }),
    exchanges: z.array(
      z.object({
        title: z.string(),
        request: z.unknown(),
        answer: z.unknown(),
        status: z.int().optional(),
        requestId: z.string().optional(),
      }),
    ),
    exhibits: z.array(z.object({ title: z.string(), mediaType: z.string(), bytes: count, facts: facts.optional() })),
    taskId: z.string().optional(),
  })
  .meta({ id: 'CheckResult' });

/** `data` of check, and `checks` of apply. */
export const checkReport = z
  .object({
    summary: z.object({ ...Object.fromEntries(VERDICTS.map((verdict) => [verdict, count])), flaky: count }),
    account: account.nullable(),
    quotaPerUnit: z.string().nullable(),
    startedAt: instant,
    durationMs: z.number(),
    cap: quota.nullable(),
    excess: quota.nullable(),
    capReached: z.boolean(),
    interrupted: z.boolean(),
    remaining: z.record(z.string(), quota.nullable()),
    results: z.array(checkResult),
    fatal: fault.nullable(),
  })
  .meta({ id: 'CheckReport' });
