import { Fault } from '../../domain/index.ts';
import type { Context, Result } from '../program/command.ts';
import { has } from '../program/option.ts';
import { reasonComment } from './declare-disabled.ts';
import { replaceRevoked } from './keys-rotate.ts';
import { revokeDeclared } from './keys-write.ts';

/** Disables keys, and then replaces them or declares them disabled. */
export async function keysRevokeAction(context: Context): Promise<Result> {
  const comment = reasonComment(context);
  if (comment === undefined) {
    throw new Fault('usage.invalid', '`keyplane keys revoke` requires --reason.', {
      hint: 'State why the key is revoked: --reason "leaked in CI". The manifest keeps it as a comment.',
    });
  }
  return has(context.given, 'replace') ? await replaceRevoked(context) : await revokeDeclared(context, comment);
}
