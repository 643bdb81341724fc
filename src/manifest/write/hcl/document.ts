import type { Document, Remark, Written } from '../document.ts';
import type { Block } from '../terraform/block.ts';
import { configurationOf } from '../terraform/configuration.ts';
import { writeComment } from '../yaml/scalar.ts';
import { alignedMembers, writeText, writeValue } from './scalar.ts';

function blockLines({ type, labels, members, blocks, remarks }: Block, indent = ''): readonly string[] {
  const opening = `${indent}${[type, ...labels.map(writeText)].join(' ')} {`;
  const deeper = `${indent}  `;
  const own = alignedMembers(members.map(([name, value]) => [name, writeValue(value, deeper)]));
  const lines = [
    ...remarks.map((remark) => deeper + writeComment(remark)),
    ...own.map((line) => deeper + line),
    ...blocks.flatMap((each, at) => [...(at > 0 || own.length > 0 ? [''] : []), ...blockLines(each, deeper)]),
  ];
  return lines.length === 0 ? [`${opening}}`] : [opening, ...lines, `${indent}}`];
}

const RENAMED = 'Terraform knows a key by its id: import the key by its former name, and it is renamed';

/** In native syntax there is no place for what only Keyplane reads. */
function withoutRenames(document: Document): Document {
  const keys = document.keys.map((key) => {
    const { renamedFrom, ...desired } = key.desired;
    if (renamedFrom === undefined) return key;
    const remark: Omit<Remark, 'key'> = { field: `renamedFrom ${renamedFrom}`, why: RENAMED };
    return { ...key, desired, unsaid: [...key.unsaid, remark] };
  });
  return { ...document, keys };
}

/** Writes a document in Terraform's native syntax. */
export function writeHcl(document: Document): Written {
  const { blocks, head, remarks, unsaidKeys } = configurationOf(withoutRenames(document));
  const comments = head.length > 0 ? [head.map(writeComment).join('\n')] : [];
  const parts = [...comments, ...blocks.map((each) => blockLines(each).join('\n'))];
  return { text: `${parts.join('\n\n')}\n`, remarks, unsaidKeys };
}
