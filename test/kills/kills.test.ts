import { describe, expect, it } from 'vitest';
import type { ProfileName } from '../../src/reference/index.ts';
import { problemsOf, stepsOf } from './kills.ts';
import { VICTIMS } from './victims.ts';

/** Some of the steps that kills.exhaustive.ts plays: the first that matches. */
const PLAYED: readonly (readonly [title: string, profile: ProfileName, steps: readonly RegExp[]])[] = [
  [
    'apply',
    'contract',
    [/^rename .*\.json/, /^sent POST \/api\/token\/$/, /^answered POST \/api\/token\/$/, /^sent PUT/, /^answered PUT/],
  ],
  [
    'apply of a scheduled rotation with three sinks',
    'contract',
    [
      /^sent POST \/api\/token\/$/,
      /^answered POST \/api\/token\/batch/,
      /^writeFile .env.keyplane-new/,
      /^rename .env.keyplane-new/,
      /^open llm.yaml.keyplane-new/,
      /^ended sh/,
    ],
  ],
  [
    'keys rotate of a leaked key with three sinks',
    'deployed',
    [/^answered POST \/api\/token\/$/, /^writeFile llm.yaml.keyplane-new/, /^sent PUT/, /^answered PUT/],
  ],
  ['a check with a paid task', 'deployed', [/^sync/, /^sent POST \/v1/, /^answered POST \/v1/]],
];

describe('a run that is killed after any step', () => {
  it.each(PLAYED)('loses and doubles nothing: %s, %s', async (title, profile, played) => {
    const [victim] = VICTIMS.filter((each) => each.title === title);
    if (!victim) throw new Error(`there is no command “${title}”`);
    const steps = await stepsOf(victim, profile);
    for (const step of played) {
      const at = steps.findIndex((each) => step.test(each)) + 1;
      expect(at, `${step} is among ${steps}`).toBeGreaterThan(0);
      expect(await problemsOf(victim, profile, at), steps[at - 1]).toEqual([]);
    }
  });
});
