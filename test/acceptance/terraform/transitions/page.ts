import { ATTRIBUTES, CELLS, TRANSITIONS, type Transition } from './cells.ts';
import type { Expected } from './expected.ts';
import { OUTCOMES } from './outcomes.ts';
import { HEADS, table } from './page-table.ts';
import { renderReaders } from './readers/page.ts';

/** The outcome of each cell, by attribute. */
export type Rows = Readonly<Record<string, Readonly<Record<Transition, Expected>>>>;

const reasonsOf = (rows: Rows): readonly string[] => [
  ...new Set(
    Object.values(rows).flatMap((row) =>
      Object.values(row).flatMap((shown) => (typeof shown === 'string' ? [] : [shown.none])),
    ),
  ),
];

/** The outcomes of one transition for each attribute. Numbers of notes count from 1. */
function tableOf(rows: Rows, names: readonly string[], notes: readonly string[]): string {
  const shown = (expected: Expected): string =>
    typeof expected === 'string' ? expected : `– (${notes.indexOf(expected.none) + 1})`;
  return table(
    ['', ...names.map((name) => `\`${name}\``)],
    TRANSITIONS.map((transition) => [
      HEADS[transition],
      ...names.map((name) => shown(rows[name]?.[transition] as Expected)),
    ]),
  );
}

const isReadOnly = (name: string): boolean =>
  CELLS.some(({ attribute, setter }) => attribute === name && setter === 'computed');

const meanings = (all: readonly Rows[]): string => {
  const used = new Set(all.flatMap((rows) => Object.values(rows).flatMap((row) => Object.values(row))));
  return table(
    ['outcome', 'what happens'],
    Object.entries(OUTCOMES).flatMap(([name, { means }]) => (used.has(name as never) ? [[name, means]] : [])),
  );
};

/** The attributes of which another profile has other outcomes. */
const differing = (rows: Rows, others: Rows): readonly string[] =>
  ATTRIBUTES.filter((name) => JSON.stringify(rows[name]) !== JSON.stringify(others[name]));

/** The page about transitions: each attribute in each of them. */
export function renderPage(byProfile: Readonly<Record<'contract' | 'deployed', Rows>>): string {
  const { contract, deployed } = byProfile;
  const notes = [...new Set([...reasonsOf(contract), ...reasonsOf(deployed)])];
  const special = differing(contract, deployed);
  return `# What happens to each attribute of a key in Terraform

<!-- Generated from test/acceptance/terraform/transitions. Do not edit. -->

Every attribute of \`keyplane_api_key\` in every transition, as a test has found it with a real engine: Terraform, or the program that \`KEYPLANE_TEST_ENGINE\` names.
The attributes come from the schema of the provider. Outcomes are judged by what the gateway stored, not by the state; those of read-only attributes compare the
state with it. No other field of a key may change, and the plan after the last apply must be empty.

## Arguments

${tableOf(
  contract,
  ATTRIBUTES.filter((name) => !isReadOnly(name)),
  notes,
)}

## Read-only attributes

${tableOf(contract, ATTRIBUTES.filter(isReadOnly), notes)}

## On a gateway as deployed

The same, except for these attributes:

${tableOf(deployed, special, notes)}

## Outcomes

${meanings([contract, deployed])}

The budget of these tests is lowered: [raising one takes proof](../budgets.md) on gateways that do not report what a key used. There, an import
reads a budget that is only set once, \`{ usd = 50, initial = true }\`.

Transitions that do not exist:

${notes.map((note, at) => `${at + 1}. ${note}`).join('\n')}

${renderReaders()}`;
}
