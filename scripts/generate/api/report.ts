import { relative } from 'node:path';
import { type GeneratedFiles, ROOT } from '../generated-files.ts';
import { type Declared, exportsOf, isNode, type Node, namesIn, promisedDoors, sourceOf } from './exports.ts';

/** Replaces the bodies of functions and the values of properties: they are not part of the surface. */
function withoutBodies(text: string, node: Node): string {
  const cuts: { readonly start: number; readonly end: number }[] = [];
  const visit = (each: Node, owner?: Node): void => {
    if (each.type === 'FunctionBody' || each.type === 'BlockStatement') return void cuts.push(each);
    if (each.type === 'PropertyDefinition' && isNode(each.value))
      return void cuts.push({ start: each.value.start - 2, end: each.value.end });
    if (owner?.type === 'VariableDeclarator' && owner.init === each && each.type !== 'ArrowFunctionExpression') {
      const name = owner.id as Node & { typeAnnotation?: unknown };
      if (isNode(name.typeAnnotation)) return void cuts.push({ start: each.start - 2, end: each.end });
    }
    if (owner?.type === 'ArrowFunctionExpression' && owner.body === each) return void cuts.push(each);
    for (const value of Object.values(each))
      for (const inner of Array.isArray(value) ? value : [value]) if (isNode(inner)) visit(inner, each);
  };
  visit(node);
  let rest = text.slice(node.start, node.end);
  for (const { start, end } of cuts.toSorted((a, b) => b.start - a.start))
    rest = rest.slice(0, start - node.start) + rest.slice(end - node.start);
  return rest;
}

const isPrivate = (line: string): boolean => /^\s*(?:private|protected)\b/.test(line);

/** Without comments, blank lines and private members. */
const tidy = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '' && !isPrivate(line))
    .join('\n')
    .replace(/\s*=>\s*;?$/, '');

const DOC = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/;

/** The comment right before a declaration, as one text. */
function docBefore(text: string, start: number): string {
  const [, inside = ''] = DOC.exec(text.slice(0, start)) ?? [];
  const lines = inside.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  return lines
    .join(' ')
    .replace(/\{@link (\w+)[^}]*\}/g, '`$1`')
    .replace(/\s+/g, ' ')
    .trim();
}

interface Described {
  readonly doc: string;
  readonly signature: string;
}

function describe({ file, name }: Declared): readonly Described[] {
  const { text, body } = sourceOf(file);
  return body.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' && isNode(node.declaration) ? node.declaration : node;
    const isOne = isNode(declaration.id) || declaration.type === 'VariableDeclaration';
    if (!isOne || !namesIn(declaration).includes(name)) return [];
    return [{ doc: docBefore(text, node.start), signature: tidy(withoutBodies(text, declaration)) }];
  });
}

function page(door: string, file: string): string {
  const names = [...exportsOf(file)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const entries = names.flatMap(([name, declared]) => {
    const described = describe(declared);
    const doc = described.map((each) => each.doc).find((text) => text !== '') ?? '';
    const code = described.map(({ signature }) => signature).join('\n');
    return [
      `## ${name}`,
      ...(doc === '' ? [] : [doc]),
      `\`\`\`ts\n${code || `// in ${relative(ROOT, declared.file)}`}\n\`\`\``,
    ];
  });
  const head = `The exports of \`${door}\`, ${names.length} in all. A change of this page is a change of the interface: it needs a changeset.`;
  return `<!-- Generated from the sources by \`npm run generate\`. Do not edit. -->\n\n# ${door}\n\n${head}\n\n${entries.join('\n\n')}\n`;
}

/** Writes a page for each door of the package whose interface is promised. */
export function generateApiReport(files: GeneratedFiles): void {
  for (const { name, source } of promisedDoors())
    files.settle(`docs/reference/api/${name.replaceAll('/', '-')}.md`, page(name, source));
}
