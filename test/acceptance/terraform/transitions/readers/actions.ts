import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Ran } from '../../stack.ts';
import type { Turn } from '../configuration.ts';
import type { Stored } from '../values.ts';
import { addressOfRead, type ReadCell } from './cells.ts';
import { configurationOfRead } from './configuration.ts';
import { messagesIn } from './messages.ts';
import { openRead, type ReadRun, type ReadStep } from './run.ts';
import type { ReadFacts } from './values.ts';

/** An action, the data source with its arguments, and the resource that invokes it in each apply. */
function configurationOf(cell: ReadCell, turn: Turn, facts: ReadFacts): string {
  const action = configurationOfRead(cell, turn, facts);
  const [block = ''] = action.split(/^(?=resource )/m);
  const source = block
    .replace(/^action /, 'data ')
    .replace('  config {\n', '')
    .replace(/^( +)invoke = /m, '$1read = ')
    .replace(/ {2}}\n}\n$/, '}\n');
  return `${action}${source}resource "terraform_data" "${cell.label}_trigger" {
  triggers_replace = "${turn}"
  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [${addressOfRead(cell)}]
    }
  }
}
`;
}

/** Returns how each action ended, as a verdict, by its label. */
function endsIn(ran: Ran): ReadonlyMap<string, string> {
  const ends = new Map<string, string>();
  for (const { type, hook, diagnostic } of messagesIn(ran)) {
    const address = typeof hook?.action === 'object' ? hook.action.addr : undefined;
    const label = address?.split('.').at(-1) ?? '';
    if (type === 'action_complete') ends.set(label, 'passed');
    if (type === 'action_errored') ends.set(label, 'failed');
    const [, triggered = ''] = /"terraform_data" "(\w+)_trigger"/.exec(diagnostic?.snippet?.context ?? '') ?? [];
    if (diagnostic?.summary === 'Warning when invoking action') ends.set(triggered, 'nothing proven');
  }
  return ends;
}

/** The verdicts of the data sources, by label. */
async function verdictsIn(folder: string): Promise<ReadonlyMap<string, string>> {
  const { resources } = JSON.parse(await readFile(join(folder, 'terraform.tfstate'), 'utf8')) as {
    resources: readonly { mode: string; name: string; instances: readonly { attributes: Stored }[] }[];
  };
  return new Map(
    resources
      .filter(({ mode }) => mode === 'data')
      .map(({ name, instances }) => [name, String(instances[0]?.attributes.verdict)]),
  );
}

const PROVEN = ['passed', 'failed'];

/** Invokes all cells in two applies, the second with other values. */
export async function runActions(cells: readonly ReadCell[]): Promise<ReadonlyMap<ReadCell, ReadRun>> {
  const { place, stack, facts } = await openRead(cells, 'deployed');
  const stepsOf = async (turn: Turn): Promise<ReadonlyMap<ReadCell, ReadStep>> => {
    await stack.configure(cells.map((cell) => configurationOf(cell, turn, facts)).join(''));
    const applied = await stack.run('apply', '-json', '-auto-approve');
    const [ends, verdicts] = [endsIn(applied), await verdictsIn(place.folder)];
    const stepOf = ({ label }: ReadCell): ReadStep => {
      const verdict = verdicts.get(label) ?? 'no data';
      const required = PROVEN.includes(verdict) ? verdict : 'nothing proven';
      return { isDeferred: false, result: { verdict: ends.get(label) }, required: { verdict: required } };
    };
    return new Map(cells.map((cell) => [cell, stepOf(cell)]));
  };
  try {
    const [first, second] = [await stepsOf('first'), await stepsOf('second')];
    return new Map(cells.map((cell) => [cell, { steps: [first.get(cell) as ReadStep, second.get(cell) as ReadStep] }]));
  } finally {
    await place.close();
  }
}
