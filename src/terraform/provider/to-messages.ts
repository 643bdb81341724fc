import type { ValueType } from '../codec/value.ts';
import type { Step } from '../codec/value-error.ts';
import type { Draft } from '../protocol/message.ts';
import type { AttributePath, Diagnostic } from '../protocol/parts.ts';
import type { FunctionSchema, Schema as SchemaMessage } from '../protocol/schema.ts';
import type { FunctionDefinition, Parameter, Remark } from './definition.ts';
import type { Attribute, Schema } from './schema.ts';

type DraftOf<M> = M extends { readonly holds?: infer T } ? Draft<NonNullable<T>> : never;

const MARKDOWN = 1;
const [ERROR, WARNING] = [1, 2];

const jsonOf = (type: ValueType): Uint8Array => Buffer.from(JSON.stringify(type));

const attributeMessage = ([name, attribute]: [string, Attribute]) => ({
  name,
  type: jsonOf(attribute.type),
  description: attribute.description,
  descriptionKind: MARKDOWN,
  required: attribute.set === 'required',
  optional: attribute.set.startsWith('optional'),
  computed: attribute.set.endsWith('computed'),
  sensitive: attribute.isSensitive === true,
});

export const schemaMessage = ({ version, description, attributes }: Schema): DraftOf<typeof SchemaMessage> => ({
  version,
  block: {
    version,
    description,
    descriptionKind: MARKDOWN,
    attributes: Object.entries(attributes).map(attributeMessage),
  },
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

const stepMessage = (step: Step) => {
  if (typeof step === 'string') return { attributeName: step };
  return typeof step === 'number' ? { elementKeyInt: step } : { elementKeyString: step.key };
};

const pathMessage = (path: readonly Step[]): DraftOf<typeof AttributePath> => ({ steps: path.map(stepMessage) });

export const diagnosticMessage = ({ severity, summary, detail, path }: Remark): DraftOf<typeof Diagnostic> => ({
  severity: severity === 'error' ? ERROR : WARNING,
  summary,
  ...(detail === undefined ? {} : { detail }),
  ...(path === undefined || path.length === 0 ? {} : { attribute: pathMessage(path) }),
});
