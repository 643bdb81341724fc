import { type Examination, type Noted, NotProven } from './module.ts';
import { type Blank, presentable } from './presentable.ts';

/** `alpha-chat-1-2026-05-01` is `alpha-chat-1`, of a date; `alpha-chat-10` is another. */
const isVersionOf = (named: string, asked: string): boolean => {
  const [name, wanted] = [named.toLowerCase(), asked.toLowerCase()];
  const bare = name.slice(name.lastIndexOf('/') + 1);
  return [name, bare].some(
    (each) => each === wanted || (each.startsWith(wanted) && /^[-@:]\w*\d/.test(each.slice(wanted.length))),
  );
};

/** An empty sheet, and the pen for it. */
export function openExamination(model: string, blank: Blank): { exam: Examination; noted: Noted } {
  const noted: Noted = { findings: [], exchanges: [], exhibits: [], requestIds: [], usages: [] };
  const claim: Examination['claim'] = (text, holds, found) => {
    noted.findings.push({
      claim: text,
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
    unprovable(reason, hint): never {
      throw new NotProven('unprovable', reason, hint);
    },
  };
  return { exam, noted };
}
