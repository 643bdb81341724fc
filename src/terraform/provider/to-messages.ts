import { blankCredentials, visibleText } from '../../domain/index.ts';
import type { ValueType } from '../codec/value.ts';
import type { PathStep } from '../codec/value-error.ts';
import type { Draft } from '../protocol/message.ts';
import type { AttributePath, Diagnostic as DiagnosticMessage } from '../protocol/parts.ts';
import type {
  AttributeMessage,
  FunctionSchema,
  ResourceIdentitySchema,
  Schema as SchemaMessage,
} from '../protocol/schema.ts';
import type { FunctionDefinition, Parameter } from './definition.ts';
import type { ProtocolDiagnostic } from './diagnostics.ts';
import { type Attribute, type IdentitySchema, type Nesting, type Schema, splitBlocks } from './schema.ts';

type DraftOf<M> = M extends { readonly type?: infer T } ? Draft<NonNullable<T>> : never;

const MARKDOWN = 1;
const [ERROR, WARNING] = [1, 2];
const NESTING: Readonly<Record<Nesting, number>> = { single: 1, list: 2, set: 3, map: 4 };

const jsonOf = (type: ValueType): Uint8Array => Buffer.from(JSON.stringify(type));

const attributeMessage = ([name, attribute]: readonly [string, Attribute]): Draft<AttributeMessage> => ({
  name,
  ...('type' in attribute
    ? { type: jsonOf(attribute.type) }
    : {
        nestedType: {
          nesting: NESTING[attribute.nesting],
          attributes: Object.entries(attribute.attributes).map(attributeMessage),
        },
      }),
  description: attribute.description,
  descriptionKind: MARKDOWN,
  required: attribute.set === 'required',
  optional: attribute.set.startsWith('optional'),
  computed: attribute.set.endsWith('computed'),
  sensitive: attribute.isSensitive === true,
  deprecated: attribute.isDeprecated === true,
  writeOnly: attribute.isWriteOnly === true,
});

const blockMessage = ([typeName, block]: readonly [string, Attribute]) => ({
  typeName,
  nesting: NESTING.single,
  block: {
    description: block.description,
    descriptionKind: MARKDOWN,
    attributes: 'attributes' in block ? Object.entries(block.attributes).map(attributeMessage) : [],
  },
});

export const schemaMessage = ({
  version,
  description,
  isDeprecated,
  attributes: all,
}: Schema): DraftOf<typeof SchemaMessage> => {
  const { attributes, blocks } = splitBlocks(all);
  return {
    version,
    block: {
      version,
      description,
      descriptionKind: MARKDOWN,
      deprecated: isDeprecated === true,
      attributes: attributes.map(attributeMessage),
      blockTypes: blocks.map(blockMessage),
    },
  };
};

export const identityMessage = ({ version, attributes }: IdentitySchema): DraftOf<typeof ResourceIdentitySchema> => ({
  version,
  identityAttributes: Object.entries(attributes).map(([name, { type, description, isRequiredForImport }]) => ({
    name,
    type: jsonOf(type),
    description,
    requiredForImport: isRequiredForImport,
    optionalForImport: !isRequiredForImport,
  })),
});

const parameterMessage = ({ name, type, description }: Parameter) => ({
  name,
  type: jsonOf(type),
  description,
  descriptionKind: MARKDOWN,
});

export const functionMessage = ({
  summary,
  description,
  parameters,
  variadic,
  returns,
}: FunctionDefinition): DraftOf<typeof FunctionSchema> => ({
  summary,
  description,
  descriptionKind: MARKDOWN,
  parameters: parameters.map(parameterMessage),
  ...(variadic ? { variadicParameter: parameterMessage(variadic) } : {}),
  return: { type: jsonOf(returns) },
});

const stepMessage = (step: PathStep) => {
  if (typeof step === 'string') return { attributeName: step };
  return typeof step === 'number' ? { elementKeyInt: step } : { elementKeyString: step.key };
};

export const pathMessage = (path: readonly PathStep[]): DraftOf<typeof AttributePath> => ({
  steps: path.map(stepMessage),
});

/**
 * Cuts a path to the part of which core shows the line: an attribute, and one element of it, or an attribute of a nested block.
 * Otherwise it shows the line of the outer block.
 */
const lineOf = ({ path = [], isInBlock }: ProtocolDiagnostic): readonly PathStep[] =>
  path.slice(0, 2).filter((step, at) => at === 0 || (isInBlock === true) === (typeof step === 'string'));

/** A line of a terminal, of which somebody else may have written a part: without credentials, and each character can be seen. */
export const shownLine = (text: string): string => visibleText(blankCredentials(text));

const shownLines = (text: string): string => text.split('\n').map(shownLine).join('\n');

export function diagnosticMessage(diagnostic: ProtocolDiagnostic): DraftOf<typeof DiagnosticMessage> {
  const { severity, summary, detail } = diagnostic;
  const path = lineOf(diagnostic);
  return {
    severity: severity === 'error' ? ERROR : WARNING,
    // Users paste credentials into the wrong attributes, and CI logs would quote them.
    summary: shownLines(summary),
    ...(detail === undefined ? {} : { detail: shownLines(detail) }),
    ...(path.length === 0 ? {} : { attribute: pathMessage(path) }),
  };
}
