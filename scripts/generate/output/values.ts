import * as z from 'zod';
import { DIAGNOSTIC_CODES, FAULTS, PLAN_NOTES } from '../../../src/domain/index.ts';

/** An instant in ISO 8601, UTC. */
export const instant = z.string().describe('An instant in ISO 8601, UTC.');
export const quota = z.int().describe('Quota units.');
export const units = z.string().describe('Exact quota units, as text.');
export const usd = z.string().describe('US dollars, as an exact decimal.');
export const keyId = z.int().positive();

/** Quota units of one key, with the same in dollars. */
export const amount = z.object({ quota, usd }).meta({ id: 'Amount' });
/** Units that may exceed what a JSON number holds exactly, with the same in dollars. */
export const sum = z.object({ units, usd }).meta({ id: 'Sum' });

export const account = z.object({ url: z.string(), userId: z.int().positive() }).meta({ id: 'Account' });

export const place = z
  .object({
    file: z.string(),
    line: z.int().positive(),
    column: z.int().positive(),
    endLine: z.int().positive().optional(),
    endColumn: z.int().positive().optional(),
    construct: z.string().optional().describe('The path of the construct, or the address of the block.'),
  })
  .meta({ id: 'Place' });

const faultCodes = Object.keys(FAULTS) as [keyof typeof FAULTS, ...(keyof typeof FAULTS)[]];
export const faultCode = z.enum(faultCodes).meta({ id: 'FaultCode' });

export const fault = z
  .object({
    code: faultCode,
    message: z.string(),
    hint: z.string().optional(),
    detail: z.record(z.string(), z.unknown()).describe('Facts by code, such as `status` and `requestId`.'),
  })
  .meta({ id: 'Fault', description: 'What ended the command, or made one change fail.' });

const diagnosticCodes = [...Object.keys(DIAGNOSTIC_CODES), ...Object.keys(PLAN_NOTES), ...Object.keys(FAULTS)];

export const diagnostic = z
  .object({
    severity: z.enum(['error', 'warning', 'info']),
    code: z.enum(diagnosticCodes as [string, ...string[]]).meta({ id: 'DiagnosticCode' }),
    message: z.string(),
    path: z.array(z.union([z.string(), z.int()])).optional(),
    data: z.record(z.string(), z.unknown()).optional(),
    found: z.string().optional(),
    expected: z.string().optional(),
    hint: z.string().optional(),
    remedy: z.string().optional(),
    place: place.optional(),
    related: z.array(z.object({ place, message: z.string() })).optional(),
  })
  .meta({ id: 'Diagnostic' });

export const metadata = z
  .object({
    owner: z.string().optional(),
    description: z.string().optional(),
    ticket: z.string().optional(),
    labels: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: 'Metadata' });

export const keyStatus = z.enum(['enabled', 'disabled', 'expired', 'exhausted']).meta({ id: 'KeyStatus' });
