import { type Examination, type Noted, NotProven } from '../check-module.ts';
import { type Blank, presentable } from './redact.ts';

/** A date, or the number of a build: `-2026-05-01`, `@20260501`, `-0613`, `-001`. */
const OF_A_VERSION = /^[-@:](\d{4}(-?\d\d){0,2}|\d{6,8}|0\d\d)$/;
const OPEN_END = '-latest';

const bareOf = (model: string): string => model.toLowerCase().slice(model.lastIndexOf('/') + 1);

/** `alpha-chat-1-2026-05-01` is `alpha-chat-1`, of a date; `alpha-chat-10` is another, and so is `alpha-chat-1-lite`. */
function isVersionOf(named: string, asked: string): boolean {
  const [name, wanted] = [bareOf(named), bareOf(asked)];
  if (name === wanted) return true;
  if (wanted.endsWith(OPEN_END)) return name.startsWith(wanted.slice(0, -OPEN_END.length));
  return name.startsWith(wanted) && OF_A_VERSION.test(name.slice(wanted.length));
}

/** An empty sheet, and the pen for it. */
export function openExamination(model: string, blank: Blank): { exam: Examination; noted: Noted } {
  const noted: Noted = { findings: [], exchanges: [], exhibits: [], requestIds: [], usages: [] };
  const claim: Examination['claim'] = (text, holds, found) => {
    noted.findings.push({
      claim: blank(text),
      holds,
      ...(found === undefined ? {} : { found: String(presentable(found, blank)) }),
    });
  };
  const exam: Examination = {
    claim,
    exchange(title, request, { raw, status, timing, requestId }) {
      noted.firstByteMs ??= timing.firstByteMs;
      noted.latencyMs ??= timing.totalMs;
      if (requestId !== undefined) noted.requestIds.push(requestId);
      noted.exchanges.push({
        title,
        request: presentable(request, blank),
        answer: presentable(raw, blank),
        status,
        ...(requestId === undefined ? {} : { requestId }),
      });
    },
    exhibit: (exhibit) => void noted.exhibits.push(exhibit),
    sentNothing() {
      noted.sentNothing = true;
    },
    used: (figures) => void noted.usages.push(figures),
    task(id) {
      noted.taskId = id;
    },
    answeredBy(named) {
      if (named) claim(`the answer is the model’s that was asked: ${model}`, isVersionOf(named, model), named);
    },
    skip(reason): never {
      throw new NotProven('skipped', reason);
    },
    unprovable(reason, advice): never {
      throw new NotProven('unprovable', reason, advice);
    },
  };
  return { exam, noted };
}
