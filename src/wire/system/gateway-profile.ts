import * as z from 'zod';
import { Fault } from '../../domain/index.ts';

/**
 * The extent of an examination. `read` writes nothing; `write` makes keys without a budget and deletes them; `inference`
 * pays for a few requests with a key of its own, up to a limit.
 */
export const LEVELS = ['read', 'write', 'inference'] as const;
export type ConformanceLevel = (typeof LEVELS)[number];

const MOST_TEXT = 500;

const Profile = z.lazy(() =>
  z.strictObject({
    version: z.literal(1, 'must be 1'),
    level: z.enum(LEVELS, `must be one of ${LEVELS.join(', ')}`).describe('The highest level that was examined.'),
    observed: z
      .record(
        z.string().regex(/^[a-z][\w-]*(\.[\w-]+)+$/, 'is not the ID of a question'),
        z.string('must be a text').max(MOST_TEXT, `must have at most ${MOST_TEXT} characters`),
        'must be a map of observed values',
      )
      .describe('The observed value of each question, by its ID. Questions that nobody here asks are ignored.'),
  }),
);

/**
 * The behaviour of a gateway as pure data: the observed value of each question, by its ID. It contains no name, address
 * or credential of an account.
 */
export type GatewayProfile = Readonly<z.infer<typeof Profile>>;

const HINT = 'docs/conformance.md describes how to make one.';

/** One mistake: its path, and what should be there. Never the value, for a wrong file may hold anything. */
const renderIssue = ({ path, message }: z.core.$ZodIssue): string =>
  path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;

/**
 * Reads the text of a profile file.
 *
 * @param file its name in messages.
 * @throws Fault `usage.invalid`
 */
export function parseGatewayProfile(text: string, file: string): GatewayProfile {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Fault('usage.invalid', `${file} is not a profile of a gateway: it is not JSON.`, { cause, hint: HINT });
  }
  const { data, error } = Profile.safeParse(value);
  if (data) return data;
  const [first, ...others] = error.issues.map(renderIssue);
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  throw new Fault('usage.invalid', `${file} is not a profile of a gateway: ${first}${more}.`, { hint: HINT });
}
