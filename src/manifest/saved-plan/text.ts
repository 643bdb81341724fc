import { type DesiredState, Fault, type Plan, visibleJson } from '../../domain/index.ts';
import { MOST_BYTES } from '../../source/index.ts';
import { encodePlan } from './saved-plan.ts';

const MIB = 1024 * 1024;

const tooLarge = (size: string): Fault =>
  new Fault(
    'plan.too-large',
    `The plan was not saved: its file would have ${size}, and an apply reads at most ${MOST_BYTES.savedPlan / MIB} MiB.`,
    { hint: 'Split the manifest into several, each with its own scope, or apply it without a saved plan.' },
  );

/** An engine that cannot hold the text reports it as this error. */
const isTooLong = (thrown: unknown): boolean =>
  thrown instanceof RangeError && thrown.message === 'Invalid string length';

/**
 * Renders a plan as the text of its file.
 *
 * @throws Fault `plan.too-large` when no apply would read the file
 */
export function renderSavedPlan(plan: Plan, desired: DesiredState): string {
  let text: string;
  try {
    text = `${visibleJson(encodePlan(plan, desired), 2)}\n`;
  } catch (thrown) {
    if (isTooLong(thrown)) throw tooLarge(`more than ${MOST_BYTES.savedPlan / MIB} MiB`);
    throw thrown;
  }
  const bytes = Buffer.byteLength(text);
  if (bytes > MOST_BYTES.savedPlan) throw tooLarge(`${Math.ceil(bytes / MIB)} MiB`);
  return text;
}
