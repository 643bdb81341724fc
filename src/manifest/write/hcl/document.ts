import type { Document, DocumentText, Omission } from '../document.ts';
import type { ConfigurationBlock } from '../terraform/block.ts';
import { configurationOf } from '../terraform/configuration.ts';
import { writeComment } from '../yaml/scalar.ts';
import { alignedMembers, writeText, writeValue } from './scalar.ts';

function blockLines({ type, labels, members, blocks, comments }: ConfigurationBlock, indent = ''): readonly string[] {
  const opening = `${indent}${[type, ...labels.map(writeText)].join(' ')} {`;
  const deeper = `${indent}  `;
  const own = alignedMembers(members.map(([name, value]) => [name, writeValue(value, deeper)]));
  const lines = [
    ...comments.map((comment) => deeper + writeComment(comment)),
    ...own.map((line) => deeper + line),
    ...blocks.flatMap((each, at) => [...(at > 0 || own.length > 0 ? [''] : []), ...blockLines(each, deeper)]),
  ];
  return lines.length === 0 ? [`${opening}}`] : [opening, ...lines, `${indent}}`];
}

const RENAMED = 'Terraform identifies a key by its ID: import the key under its former name, and Terraform renames it';

/** Omits renames, which native syntax cannot hold. */
function withoutRenames(document: Document): Document {
  const keys = document.keys.map((key) => {
    const { renamedFrom, ...desired } = key.desired;
    if (typeof renamedFrom !== 'string') return key;
    const omission: Omit<Omission, 'key'> = { field: `renamedFrom ${renamedFrom}`, why: RENAMED };
    return { ...key, desired, omissions: [...key.omissions, omission] };
  });
  return { ...document, keys };
}

/** Writes a document in Terraform's native syntax. */
export function writeHcl(document: Document): DocumentText {
  const { blocks, head, omissions, omittedKeys } = configurationOf(withoutRenames(document));
  const headLines = head.length > 0 ? [head.map(writeComment).join('\n')] : [];
  const parts = [...headLines, ...blocks.map((each) => blockLines(each).join('\n'))];
  return { text: `${parts.join('\n\n')}\n`, omissions, omittedKeys };
}
