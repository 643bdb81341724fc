import { bearerToken, type InferenceConnection } from './connection.ts';
import type { Inference } from './inference.ts';

/**
 * Opens the inference and media API, whose code is loaded with the first call: it is a third of the client, and plans need none of it.
 *
 * @throws Fault `usage.invalid` for a key that cannot be sent in a header.
 */
export function deferInference(connection: InferenceConnection): Inference {
  bearerToken(connection.key);
  let opened: Promise<Inference> | undefined;
  const open = (): Promise<Inference> => {
    opened ??= import('./create-inference.ts').then(({ createInference }) => createInference(connection));
    return opened;
  };
  return {
    models: async (...call) => (await open()).models(...call),
    chat: async (...call) => (await open()).chat(...call),
    streamChat: async (...call) => (await open()).streamChat(...call),
    chatWithoutMessages: async (...call) => (await open()).chatWithoutMessages(...call),
    respond: async (...call) => (await open()).respond(...call),
    streamRespond: async (...call) => (await open()).streamRespond(...call),
    embed: async (...call) => (await open()).embed(...call),
    embedNative: async (...call) => (await open()).embedNative(...call),
    embedNativeBatch: async (...call) => (await open()).embedNativeBatch(...call),
    countTokens: async (...call) => (await open()).countTokens(...call),
    streamNativeImages: async (...call) => (await open()).streamNativeImages(...call),
    generateImages: async (...call) => (await open()).generateImages(...call),
    streamImages: async (...call) => (await open()).streamImages(...call),
    editImages: async (...call) => (await open()).editImages(...call),
    streamEdits: async (...call) => (await open()).streamEdits(...call),
    submitVideo: async (...call) => (await open()).submitVideo(...call),
    canReadTasks: async (...call) => (await open()).canReadTasks(...call),
    videoTask: async (...call) => (await open()).videoTask(...call),
    awaitVideo: async (...call) => (await open()).awaitVideo(...call),
    downloadVideo: async (...call) => (await open()).downloadVideo(...call),
    readDownload: async (...call) => (await open()).readDownload(...call),
    saveUrl: async (...call) => (await open()).saveUrl(...call),
    readUrl: async (...call) => (await open()).readUrl(...call),
  };
}
