import { type Document, type DocumentKey, remarksOf, remarkText, type Written } from '../document.ts';
import { constructIds, localNames, VARIABLES } from '../names.ts';
import { type KeyCheck, keyChecks } from '../terraform/check.ts';
import { remarkLine, unsaidLine } from '../terraform/configuration.ts';
import { oddInCdk } from '../terraform/oddity.ts';
import { sayable, unsaidOfAll } from '../terraform/sayable.ts';
import { type Property, text, verbatim } from './expression.ts';
import { checkProperties, keyProperties } from './key.ts';
import { print, printMembers, printText } from './print.ts';

/** The two packages of CDK for Terraform: the same code but for where it is imported from. */
export const CDKS = ['cdktf', 'cdktn'] as const;
export type Cdk = (typeof CDKS)[number];

const BODY = '    ';

/** What stands beside the keys in the stack. */
const PROVIDER_ID = 'keyplane';

/** What an `ApiKey` has below itself. */
const RESOURCE_ID = 'Resource';

const comment = (line: string): string => `// ${line.replace(/[\p{C}\u2028\u2029]/gu, '�')}`;

interface Names {
  readonly ids: ReadonlyMap<string, string>;
  /** Of keys that something else speaks of. */
  readonly variables: ReadonlyMap<string, string>;
}

/** `new Class(scope, 'id', { … });`, on one line while that is short. */
function construction(head: string, members: readonly Property[]): string {
  const line = print({ kind: 'object', members }, { indent: BODY, before: BODY.length + head.length, behind: 2 });
  return `${BODY}${head}${line});`;
}

function providerLine({ url, userId }: Document['gateway']): string {
  const members: readonly Property[] = [
    ...(url === undefined ? [] : [['url', text(url)] as const]),
    ...(userId === undefined ? [] : [['userId', verbatim(userId)] as const]),
  ];
  const head = `new KeyplaneProvider(this, ${printText(PROVIDER_ID)}`;
  return members.length === 0 ? `${BODY}${head});` : construction(`${head}, `, members);
}

function keyLines(key: DocumentKey, { ids, variables }: Names, adopts: boolean): readonly string[] {
  const { name } = key.desired;
  const variable = variables.get(name);
  const head = `${variable === undefined ? '' : `const ${variable} = `}new ApiKey(this, ${printText(ids.get(name) ?? '')}, `;
  const id = text(`name=${name}`);
  return [
    ...key.unsaid.map((remark) => BODY + comment(remarkText(remark))),
    `${BODY}${head}${printMembers(keyProperties(key), BODY)});`,
    ...(adopts && id.kind === 'text' ? [`${BODY}${variable}.resource.importFrom(${printText(id.text)});`] : []),
  ];
}

function checkLines(checks: readonly KeyCheck[], variables: Names['variables']): readonly string[] {
  const specs = checks.map(({ spec }) => spec);
  const ids = localNames(
    specs.map(({ name }) => name),
    constructIds(RESOURCE_ID),
  );
  return checks.map(({ key, spec }) => {
    const variable = variables.get(key.desired.name) as string;
    const id = ids.get(spec.name) as string;
    const head = `new SmokeCheck(${variable}, ${printText(id)}, `;
    return `${BODY}${head}${printMembers(checkProperties(spec, variable, id), BODY)});`;
  });
}

function namesOf(keys: readonly DocumentKey[], checks: readonly KeyCheck[], adopts: boolean): Names {
  const names = keys.map(({ desired }) => desired.name);
  const proven = new Set(checks.map(({ key }) => key.desired.name));
  const spokenOf = names.filter((name) => adopts || proven.has(name));
  return {
    ids: localNames(names, constructIds(PROVIDER_ID)),
    variables: localNames(spokenOf, VARIABLES),
  };
}

function byKey(checks: readonly KeyCheck[]): ReadonlyMap<DocumentKey, readonly KeyCheck[]> {
  const grouped = new Map<DocumentKey, KeyCheck[]>();
  for (const check of checks) {
    const own = grouped.get(check.key);
    if (own) own.push(check);
    else grouped.set(check.key, [check]);
  }
  return grouped;
}

/** Keys that have ended are as they are: to write them down is no error. */
const hasEnded = ({ keys, now }: Document): boolean =>
  keys.some(({ desired }) => typeof desired.expires === 'number' && desired.expires <= now);

const head = (cdk: Cdk, classes: readonly string[]): readonly string[] => [
  `import { App, TerraformStack } from ${printText(cdk)};`,
  "import type { Construct } from 'constructs';",
  `import { ${classes.join(', ')} } from ${printText(`keyplane/constructs/${cdk}`)};`,
];

/** Writes a document as a program of CDK for Terraform. */
export function writeCdk(whole: Document, cdk: Cdk): Written {
  const document = sayable(whole, oddInCdk);
  const { keys, gateway, adopts, unsaidKeys } = document;
  const { checks, remarks: ofChecks } = keyChecks(document, oddInCdk);
  const ofAll = [...unsaidOfAll(document, 'cdktf.out'), ...ofChecks];
  const ofKey = byKey(checks);
  const names = namesOf(keys, checks, adopts);
  const classes = [
    ...(keys.length > 0 ? ['ApiKey'] : []),
    'KeyplaneProvider',
    ...(checks.length > 0 ? ['SmokeCheck'] : []),
  ];
  const lines = [
    ...[...ofAll.map(remarkLine), ...unsaidKeys.map(unsaidLine)].map(comment),
    ...head(cdk, classes),
    '',
    'class Keys extends TerraformStack {',
    '  constructor(scope: Construct, id: string) {',
    '    super(scope, id);',
    providerLine(gateway),
    ...keys.flatMap((key) => {
      const own = ofKey.get(key) ?? [];
      return ['', ...keyLines(key, names, adopts), ...checkLines(own, names.variables)];
    }),
    '  }',
    '}',
    '',
    hasEnded(document)
      ? "const app = new App({ context: { 'keyplane:pastExpiry': 'warn' } });"
      : 'const app = new App();',
    "new Keys(app, 'keys');",
    'app.synth();',
  ];
  return { text: `${lines.join('\n')}\n`, remarks: [...ofAll, ...remarksOf(keys)], unsaidKeys };
}
