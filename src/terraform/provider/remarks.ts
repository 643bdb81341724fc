import { Fault } from '../../domain/index.ts';
import { ValueError } from '../codec/value-error.ts';
import { Refused, type Remark } from './definition.ts';
import { hintOf } from './remedies.ts';

const detailOf = (fault: Fault): string => {
  const hint = hintOf(fault);
  return [...(hint === undefined ? [] : [hint]), `Code: ${fault.code}`].join('\n\n');
};

/** What is told to people of something that was thrown. Faults say by themselves what went wrong and what to do. */
export function remarksOf(thrown: unknown): readonly Remark[] {
  if (thrown instanceof Refused) return thrown.remarks;
  if (thrown instanceof Fault) return [{ severity: 'error', summary: thrown.message, detail: detailOf(thrown) }];
  const path = thrown instanceof ValueError ? thrown.path : [];
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return [{ severity: 'error', summary: 'The provider has a defect', detail: message, path }];
}
