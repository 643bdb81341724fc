/** Hints for a line that should be a field and is not. */

const TERRAFORM = /^(resource|data|provider|variable|locals|module|output|terraform)\b.*\{$/u;

/** Returns the field that a text without `: ` was meant to be: `group:default`, `group = default` or `"group":default`. */
export function tryFixField(text: string): string | undefined {
  const [, name, mark, value = ''] = /^(["']?[\w-]+["']?)\s*(:(?!\/\/)|=)\s*(\S.*)$/u.exec(text.trim()) ?? [];
  if (name === undefined || mark === undefined) return undefined;
  return /[:=]\s/u.test(value) ? undefined : `${name}: ${value}`;
}

/** Advises on a line that is neither a field nor an item of a list. */
export function adviseLine(line: string): string {
  if (line.startsWith('//')) return 'Comments begin with `#`.';
  if (TERRAFORM.test(line)) return 'This is HCL. Write YAML, or Terraform JSON in a file `*.tf.json`.';
  const field = tryFixField(line);
  if (field !== undefined) return `Did you mean \`${field}\`?`;
  if (/^-\S/u.test(line)) return `Write a space after the \`-\`. Did you mean \`- ${line.slice(1)}\`?`;
  return /^[\w.~-]+$/u.test(line) ? `Did you mean \`${line}:\`?` : 'Write it as `name: value`.';
}
