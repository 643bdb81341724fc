import {
  adoptedId,
  type Document,
  type DocumentKey,
  type DocumentText,
  identityOf,
  importId,
  omissionsOf,
  omissionText,
} from '../document.ts';
import { constructIds, localNames, VARIABLES } from '../names.ts';
import { type KeyCheck, keyChecks } from '../terraform/check.ts';
import { omissionLine, omittedKeyLine } from '../terraform/configuration.ts';
import { incompatibleInCdk } from '../terraform/incompatibility.ts';
import { generalOmissions, representable } from '../terraform/representable.ts';
import { type Property, text, verbatim } from './expression.ts';
import { checkProperties, keyProperties } from './key.ts';
import { print, printMembers, printText } from './print.ts';

/** The two packages of CDK for Terraform. Programs differ only in their imports. */
export const CDKS = ['cdktf', 'cdktn'] as const;
export type Cdk = (typeof CDKS)[number];

const BODY = '    ';

/** The ID of the provider in the stack. */
const PROVIDER_ID = 'keyplane';

/** The ID of the resource below an `ApiKey`. */
const RESOURCE_ID = 'Resource';

const comment = (line: string): string => `// ${line.replace(/[\p{C}\u2028\u2029]|\u034f/gu, '�')}`;

interface Names {
  readonly ids: ReadonlyMap<string, string>;
  /** The variables of keys that other constructs refer to. */
  readonly variables: ReadonlyMap<string, string>;
}

/** Writes `new Class(scope, 'id', { … });`, on one line if that is short. */
function construction(head: string, members: readonly Property[]): string {
  const line = print({ kind: 'object', members }, { indent: BODY, before: BODY.length + head.length, behind: 2 });
  return `${BODY}${head}${line});`;
}

function providerLine({ url, userId, profile }: Document['gateway']): string {
  const members: readonly Property[] = [
    ...(url === undefined ? [] : [['url', text(url)] as const]),
    ...(userId === undefined ? [] : [['userId', verbatim(userId)] as const]),
    ...(profile === undefined ? [] : [['gatewayProfile', text(profile)] as const]),
  ];
  const head = `new KeyplaneProvider(this, ${printText(PROVIDER_ID)}`;
  return members.length === 0 ? `${BODY}${head});` : construction(`${head}, `, members);
}

function keyLines(key: DocumentKey, { ids, variables }: Names, adopts: boolean): readonly string[] {
  const identity = identityOf(key.desired);
  const variable = variables.get(identity);
  const head = `${variable === undefined ? '' : `const ${variable} = `}new ApiKey(this, ${printText(ids.get(identity) ?? '')}, `;
  const id = text(importId(key.desired));
  const imports = adopts || adoptedId(key.desired) !== undefined;
  return [
    ...key.omissions.map((omission) => BODY + comment(omissionText(omission))),
    `${BODY}${head}${printMembers(keyProperties(key), BODY)});`,
    ...(imports && id.kind === 'text' ? [`${BODY}${variable}.resource.importFrom(${printText(id.text)});`] : []),
  ];
}

function checkLines(checks: readonly KeyCheck[], variables: Names['variables']): readonly string[] {
  const specs = checks.map(({ spec }) => spec);
  const ids = localNames(
    specs.map(({ name }) => name),
    constructIds(RESOURCE_ID),
  );
  return checks.map(({ key, spec }) => {
    const variable = variables.get(identityOf(key.desired)) as string;
    const id = ids.get(spec.name) as string;
    const head = `new SmokeCheck(${variable}, ${printText(id)}, `;
    return `${BODY}${head}${printMembers(checkProperties(spec, variable, id), BODY)});`;
  });
}

function namesOf(keys: readonly DocumentKey[], checks: readonly KeyCheck[], adopts: boolean): Names {
  const tested = new Set(checks.map(({ key }) => key));
  const referenced = keys.filter((key) => adopts || tested.has(key) || adoptedId(key.desired) !== undefined);
  const identities = (of: readonly DocumentKey[]): readonly string[] => of.map(({ desired }) => identityOf(desired));
  return {
    ids: localNames(identities(keys), constructIds(PROVIDER_ID)),
    variables: localNames(identities(referenced), VARIABLES),
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

/** Has any key expired? Declaring one is not an error. */
const hasExpired = ({ keys, now }: Document): boolean =>
  keys.some(({ desired }) => typeof desired.expires === 'number' && desired.expires <= now);

const head = (cdk: Cdk, classes: readonly string[]): readonly string[] => [
  `import { App, TerraformStack } from ${printText(cdk)};`,
  "import type { Construct } from 'constructs';",
  `import { ${classes.join(', ')} } from ${printText(`keyplane/constructs/${cdk}`)};`,
];

/** Writes a document as a program of CDK for Terraform. */
export function writeCdk(whole: Document, cdk: Cdk): DocumentText {
  const document = representable(whole, incompatibleInCdk);
  const { keys, gateway, adopts, omittedKeys } = document;
  const { checks, omissions: ofChecks } = keyChecks(document, incompatibleInCdk);
  const ofAll = [...generalOmissions(document, 'cdktf.out'), ...ofChecks];
  const ofKey = byKey(checks);
  const names = namesOf(keys, checks, adopts);
  const classes = [
    ...(keys.length > 0 ? ['ApiKey'] : []),
    'KeyplaneProvider',
    ...(checks.length > 0 ? ['SmokeCheck'] : []),
  ];
  const lines = [
    ...[...ofAll.map(omissionLine), ...omittedKeys.map(omittedKeyLine)].map(comment),
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
    hasExpired(document)
      ? "const app = new App({ context: { 'keyplane:pastExpiry': 'warn' } });"
      : 'const app = new App();',
    "new Keys(app, 'keys');",
    'app.synth();',
  ];
  return { text: `${lines.join('\n')}\n`, omissions: [...ofAll, ...omissionsOf(keys)], omittedKeys };
}
