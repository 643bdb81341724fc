/**
 * Sinks: the places where secrets are delivered. A body of the port for each kind; knows no gateway and no command line.
 */
export type { ExecPermission } from './exec/exec-sink.ts';
export { exposureAt } from './file/private-file.ts';
export { openSink, type SinkOptions } from './open-sink.ts';
export { openConnections, type SinkConnectionSettings } from './remote/connections.ts';
export type { NetworkPermission } from './remote/open-remote.ts';
export { type NamedSecret, renderDotenv, renderKubernetes } from './render-secrets.ts';
