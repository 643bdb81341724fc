import { parseSync } from 'oxc-parser';

interface Part {
  readonly end: number;
}

/** The parts of a module between which a line may end: its statements, and each constant of a statement that declares many. */
const partsOf = (code: string): readonly Part[] =>
  parseSync('bundle.js', code).program.body.flatMap((statement): readonly Part[] =>
    statement.type === 'VariableDeclaration' ? [...statement.declarations.slice(0, -1), statement] : [statement],
  );

/** Gives each function and constant of a bundle a line of its own: Node.js shows the whole line that threw an error which a program does not catch. */
export function inLines(code: string): string {
  const ends = partsOf(code).map(({ end }) => (code[end] === ',' ? end + 1 : end));
  return [0, ...ends].map((start, index) => code.slice(start, ends[index])).join('\n');
}
