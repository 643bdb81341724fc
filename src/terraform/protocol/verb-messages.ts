import { many, maybe, message, one } from './message.ts';
import { ClientCapabilities, Diagnostic, DynamicValue, ResourceIdentityData } from './parts.ts';

/** What is asked about finding objects, and about actions: calls of cores that are newer than 6.9. Numbers are those of tfplugin6. */

export const ListRequest = message({
  typeName: one(1, 'string'),
  config: maybe(2, DynamicValue),
  includeResourceObject: one(3, 'bool'),
  limit: one(4, 'int64'),
});

export const ListEvent = message({
  identity: maybe(1, ResourceIdentityData),
  displayName: one(2, 'string'),
  resourceObject: maybe(3, DynamicValue),
  diagnostics: many(4, Diagnostic),
});

export const ValidateListRequest = message({
  typeName: one(1, 'string'),
  config: maybe(2, DynamicValue),
  includeResourceObject: maybe(3, DynamicValue),
  limit: maybe(4, DynamicValue),
});

/** Of planning and invoking one. */
export const ActionRequest = message({
  typeName: one(1, 'string'),
  config: maybe(2, DynamicValue),
  clientCapabilities: maybe(3, ClientCapabilities),
});

export const ActionPlanResponse = message({ diagnostics: many(1, Diagnostic) });

const Progress = message({ message: one(1, 'string') });
const Completed = message({ diagnostics: many(1, Diagnostic) });

/** Exactly one of them is there; the last one is `completed`. */
export const ActionEvent = message({ progress: maybe(1, Progress), completed: maybe(2, Completed) });
