import type { Transition } from '../cells.ts';
import { HEADS, table } from '../page-table.ts';
import { READ_CELLS, READ_TRANSITIONS, READERS, type Reader } from './cells.ts';
import { READ_OUTCOMES, type ReadExpected, readExpectedOf } from './expected.ts';

const PROFILES = ['contract', 'deployed'] as const;

const KINDS: Readonly<Record<Reader['kind'], string>> = {
  data: 'data source',
  ephemeral: 'ephemeral resource',
  list: 'list resource',
  action: 'action',
};

const expectedIn = (reader: Reader, attribute: string, transition: Transition): readonly ReadExpected[] => {
  const cell = READ_CELLS.find(
    (each) => each.reader === reader && each.attribute === attribute && each.transition === transition,
  );
  if (cell === undefined) throw new Error(`no cell of ${attribute} in ${transition}`);
  return PROFILES.map((profile) => readExpectedOf(cell, profile));
};

const ALL = PROFILES.flatMap((profile) => READ_CELLS.map((cell) => readExpectedOf(cell, profile)));
const NOTES = [...new Set(ALL.flatMap((expected) => (typeof expected === 'string' ? [] : [expected.none])))];

const shown = (expected: ReadExpected): string =>
  typeof expected === 'string' ? expected : `– (${NOTES.indexOf(expected.none) + 1})`;

/** The outcome of a cell; of both profiles, where they differ. */
const cellText = (reader: Reader, attribute: string, transition: Transition): string =>
  [...new Set(expectedIn(reader, attribute, transition).map(shown))].join('; ');

/** Only these attributes are given: the rest is what was found. */
const attributesOf = ({ schema }: Reader): readonly string[] => Object.keys(schema.attributes);

function sectionOf(reader: Reader): string {
  const names = attributesOf(reader);
  const rows = names.map((name) => [
    `\`${name}\``,
    ...READ_TRANSITIONS.map((transition) => cellText(reader, name, transition)),
  ]);
  const heads = READ_TRANSITIONS.map((transition) => HEADS[transition]);
  return `### The ${KINDS[reader.kind]} \`${reader.type}\`\n\n${table(['', ...heads], rows)}`;
}

/** The part of the page about what Terraform reads or invokes, and does not manage. */
export const renderReaders = (): string => `## What Terraform reads and invokes

Data sources, ephemeral resources, list resources and actions in the transitions that exist for them: they are not imported, moved, replaced or ignored.
Each result, as a whole, is compared with one that the test computes from what the gateway stores. Where two outcomes are given, the first is
that of a gateway by the contract, and the second that of one as deployed. Actions are invoked by two applies, with one value and with another.

${READERS.map(sectionOf).join('\n\n')}

### Outcomes of reading

${table(
  ['outcome', 'what happens'],
  Object.entries(READ_OUTCOMES).map(([name, { means }]) => [name, means]),
)}

Transitions that do not exist there:

${NOTES.map((note, at) => `${at + 1}. ${note}`).join('\n')}
`;
