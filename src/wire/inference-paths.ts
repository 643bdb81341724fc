import type { Endpoint } from './system/paths.ts';

/**
 * Every endpoint of the inference and media API. `pays`: an accepted request costs money, so it is never sent
 * again when its response was lost. `{model}` and `{task_id}` stand for one segment of the path.
 *
 * Contract: “Chat completions” to “Download”; the path of the model listing is one of its gaps, deployments have this one.
 */
export interface InferenceEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly retry: Endpoint['retry'];
  readonly pays: boolean;
}

const free = { retry: 'yes', pays: false } as const;
const paid = { retry: 'no', pays: true } as const;

export const INFERENCE_API = {
  models: { method: 'GET', path: '/v1/models', ...free },
  chat: { method: 'POST', path: '/v1/chat/completions', ...paid },
  responses: { method: 'POST', path: '/v1/responses', ...paid },
  embeddings: { method: 'POST', path: '/v1/embeddings', ...paid },
  embedContent: { method: 'POST', path: '/v1/models/{model}:embedContent', ...paid },
  batchEmbedContents: { method: 'POST', path: '/v1/models/{model}:batchEmbedContents', ...paid },
  countTokens: { method: 'POST', path: '/v1/messages/count_tokens', ...free },
  streamGenerateContent: { method: 'POST', path: '/v1/models/{model}:streamGenerateContent', ...paid },
  generateImages: { method: 'POST', path: '/v1/images/generations', ...paid },
  editImages: { method: 'POST', path: '/v1/images/edits', ...paid },
  /** A lost answer does not prove that no task exists: it leaves this machine once or not at all. */
  submitVideo: { method: 'POST', path: '/v1/video/generations', retry: 'never', pays: true },
  downloadVideo: { method: 'GET', path: '/v1/video/generations/download', ...free },
  videoTask: { method: 'GET', path: '/v1/video/generations/{task_id}', ...free },
} as const satisfies Record<string, InferenceEndpoint>;

export type InferenceEndpointName = keyof typeof INFERENCE_API;
