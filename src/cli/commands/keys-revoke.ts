import { asFault, Fault, type Json } from '../../domain/index.ts';
import { exitCodeOf } from '../output/exit-codes.ts';
import { plain } from '../output/json/envelope.ts';
import { counted } from '../output/layout/amount.ts';
import { quoted } from '../output/layout/printable.ts';
import type { Context, Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { reasonComment } from './declare-disabled.ts';
import { findNoSuccessor, replaceRevoked } from './keys-rotate.ts';
import { revokeKeys } from './keys-write.ts';

const isObject = (data: Json): data is { readonly [name: string]: Json } =>
  typeof data === 'object' && data !== null && !Array.isArray(data);

/** One result of two steps. Whatever becomes of the second one, the keys are disabled, and that is reported. */
const joined = (first: Result, second: Result): Result => ({
  ...second,
  data: plain({ ...(isObject(first.data) ? first.data : {}), ...(isObject(second.data) ? second.data : {}) }),
  text: [first.text, second.text].filter((text) => text !== '').join('\n\n'),
});

function failed(thrown: unknown, names: readonly string[]): Result {
  const { code, message, hint, detail } = asFault(thrown);
  const shown = names.map(quoted).join(', ');
  const fault = new Fault(code, `${counted(names.length, 'key')} disabled without a successor: ${shown}. ${message}`, {
    hint: `${hint === undefined ? '' : `${hint} `}Then replace what was disabled with \`keyplane keys rotate --leaked\`.`,
    ...(detail ? { detail } : {}),
    cause: thrown,
  });
  return { exit: exitCodeOf(fault), data: {}, text: '', fault };
}

/** Disables keys, and then replaces them; declares those disabled that get no successor. */
export async function keysRevokeAction(context: Context): Promise<Result> {
  const comment = reasonComment(context);
  if (comment === undefined) {
    throw new Fault('usage.invalid', '`keyplane keys revoke` requires --reason.', {
      hint: 'State why the key is revoked: --reason "leaked in CI". The manifest or the report keeps it.',
    });
  }
  const isReplaced = !has(context.given, 'no-successor');
  const replaces = (key: Parameters<typeof findNoSuccessor>[0]): boolean =>
    isReplaced && findNoSuccessor(key) === undefined;
  const { result, replaced } = await revokeKeys(context, { comment, replaces });
  if (replaced.length === 0) return result;
  const second = await replaceRevoked(context, replaced).catch((thrown: unknown) => failed(thrown, replaced));
  // A key that could not be disabled weighs more than anything that went well afterwards.
  return joined(result, result.fault && !second.fault ? { ...second, fault: result.fault, exit: result.exit } : second);
}
