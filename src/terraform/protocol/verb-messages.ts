import { many, maybe, message, one } from './message.ts';
import { ClientCapabilities, Diagnostic, DynamicValue, ResourceIdentityData } from './parts.ts';

/** Messages about list resources and actions, from protocol 6.10 on. Field numbers are those of tfplugin6. */

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

/** Plans or invokes an action. */
export const ActionRequest = message({
  typeName: one(1, 'string'),
  config: maybe(2, DynamicValue),
  clientCapabilities: maybe(3, ClientCapabilities),
});

export const ActionPlanResponse = message({ diagnostics: many(1, Diagnostic) });

const Progress = message({ message: one(1, 'string') });
const Completed = message({ diagnostics: many(1, Diagnostic) });

/** Exactly one field is set; the last event is `completed`. */
export const ActionEvent = message({ progress: maybe(1, Progress), completed: maybe(2, Completed) });
