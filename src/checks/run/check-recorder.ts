import { type CheckRecord, type CheckRecorder, NotProven } from '../check-module.ts';
import { type RedactText, redact } from './redact.ts';

/** A date or a build number: `-2026-05-01`, `@20260501`, `-0613`, `-001`. */
const VERSION_SUFFIX = /^[-@:](\d{4}(-?\d\d){0,2}|\d{6,8}|0\d\d)$/;
const OPEN_END = '-latest';

const bareOf = (model: string): string => model.toLowerCase().slice(model.lastIndexOf('/') + 1);

/** `alpha-chat-1-2026-05-01` is a version of `alpha-chat-1`; `alpha-chat-10` and `alpha-chat-1-lite` are other models. */
function isVersionOf(named: string, requested: string): boolean {
  const [name, wanted] = [bareOf(named), bareOf(requested)];
  if (name === wanted) return true;
  if (wanted.endsWith(OPEN_END)) return name.startsWith(wanted.slice(0, -OPEN_END.length));
  return name.startsWith(wanted) && VERSION_SUFFIX.test(name.slice(wanted.length));
}

/** Records exchanges; the first one gives the times of the check. */
const exchangeRecorder =
  (record: CheckRecord, redactText: RedactText): CheckRecorder['exchange'] =>
  (title, request, { raw, status, timing, requestId }) => {
    record.firstByteMs ??= timing.firstByteMs;
    record.latencyMs ??= timing.totalMs;
    if (requestId !== undefined) record.requestIds.push(requestId);
    record.exchanges.push({
      title,
      request: redact(request, redactText),
      answer: redact(raw, redactText),
      status,
      ...(requestId === undefined ? {} : { requestId }),
    });
  };

/** Creates an empty record and a recorder that writes to it. */
export function openRecorder(model: string, redactText: RedactText): { recorder: CheckRecorder; record: CheckRecord } {
  const record: CheckRecord = { findings: [], exchanges: [], artifacts: [], requestIds: [], usages: [] };
  const claim: CheckRecorder['claim'] = (text, holds, found) => {
    record.findings.push({
      claim: redactText(text),
      holds,
      ...(found === undefined ? {} : { found: String(redact(found, redactText)) }),
    });
  };
  const recorder: CheckRecorder = {
    claim,
    exchange: exchangeRecorder(record, redactText),
    artifact: (artifact) => void record.artifacts.push(artifact),
    sentNothing() {
      record.sentNothing = true;
    },
    advise(advice) {
      record.advice = advice;
    },
    used: (usage) => void record.usages.push(usage),
    task(id) {
      record.taskId = redactText(id);
    },
    answeredBy(...models) {
      const named = models.flatMap((each) => each || []);
      if (named.length === 0) record.isUnnamed = true;
      for (const each of named) {
        claim(`the answer is from the requested model: ${model}`, isVersionOf(each, model), each);
      }
    },
    skip(reason): never {
      throw new NotProven('skipped', reason);
    },
    unprovable(reason, advice): never {
      throw new NotProven('unprovable', reason, advice);
    },
  };
  return { recorder, record };
}
