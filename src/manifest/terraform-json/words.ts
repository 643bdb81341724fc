import { TERRAFORM_EXPECTATIONS, TERRAFORM_NAMES } from '../../domain/index.ts';
import type { Problem, Report } from '../problem.ts';

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...TERRAFORM_EXPECTATIONS, ...TERRAFORM_NAMES }).filter(([manifest, here]) => manifest !== here),
);

const QUOTED = new RegExp(`(?<=\`(?:expect\\.)?)(?:${[...WORDS.keys()].join('|')})\\b`, 'g');

const inWords = (text: string): string => text.replace(QUOTED, (word) => WORDS.get(word) ?? word);

function translated(problem: Problem): Problem {
  if (problem.at.construct === undefined) return problem;
  const { message, expected, hint } = problem;
  return { ...problem, message: inWords(message), expected: inWords(expected), hint: inWords(hint) };
}

/** Speaks of fields as Terraform calls them, where it is about a block of Terraform. */
export const inTerraformWords = <R extends Report>(report: R): R => ({
  ...report,
  problem: (problem) => report.problem(translated(problem)),
});
