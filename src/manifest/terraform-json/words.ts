import { ASSERTION_NAMES, ASSERTIONS, TERRAFORM_NAMES } from '../../domain/index.ts';
import type { Problem, Report } from '../../source/index.ts';

const WORDS: ReadonlyMap<string, string> = new Map(
  [
    ...ASSERTION_NAMES.map((name): [string, string] => [name, ASSERTIONS[name].terraform]),
    ...Object.entries(TERRAFORM_NAMES),
  ].filter(([manifest, here]) => manifest !== here),
);

const QUOTED = new RegExp(`(?<=[\`.])(?:${[...WORDS.keys()].join('|')})(?=[\`.])`, 'g');

/** Words of a manifest that stand for a whole value; Terraform has a type for each attribute. */
const VALUES: ReadonlyMap<string, string> = new Map([
  ['`any`', '`["any"]`'],
  ['`anywhere`', '`["anywhere"]`'],
  ['`unlimited`', '`{ unlimited = true }`'],
]);

const inWords = (text: string): string =>
  text
    .replace(QUOTED, (word) => WORDS.get(word) ?? word)
    .replace(/`(any|anywhere|unlimited)`/g, (word) => VALUES.get(word) ?? word);

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
