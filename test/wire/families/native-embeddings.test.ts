import { NATIVE_EMBEDDING, NATIVE_EMBEDDING_BATCH } from '../../../src/wire/index.ts';
import { describeRows } from './rows.ts';

const request = { content: { parts: [{ text: 'hi' }] } };
const single = { family: NATIVE_EMBEDDING, base: request, model: 'eta-embedding-001' };
const batch = { ...single, family: NATIVE_EMBEDDING_BATCH, base: { requests: [request, request] } };
const OTHER = { model: 'another-embedding' };

describeRows('Embeddings (native format)', [
  {
    title: '`{model}` is in the path; the body must not contain `model`',
    ...single,
    accepts: [[{}, OTHER]],
    refuses: [
      [{ model: 'eta-embedding-001' }, 'model'],
      [{ model: '' }, 'model'],
      [{ model: null }, 'model', OTHER],
    ],
  },
  {
    title: '`content`: object, required, holds `parts`, at least one text non-empty',
    ...single,
    accepts: [{ 'content.parts': [{ text: '' }, { text: 'a' }] }, { 'content.role': 'user' }],
    refuses: [
      [{ content: undefined }, 'content'],
      [{ content: 'hi' }, 'content'],
      [{ content: {} }, 'content.parts'],
      [{ 'content.parts': [] }, 'content.parts'],
      [{ 'content.parts': [{ text: '' }, { text: '' }] }, 'content.parts'],
      [{ 'content.parts': [{}] }, 'content.parts[0].text'],
      [{ 'content.parts[1]': { text: 1 } }, 'content.parts[1].text'],
    ],
  },
  {
    title: '`outputDimensionality`: integer, only by some models',
    ...single,
    accepts: [
      { outputDimensionality: 1 },
      { outputDimensionality: 768 },
      [{ outputDimensionality: 256 }, { model: 'text-embedding-004' }],
    ],
    refuses: [
      [{ outputDimensionality: 0 }, 'outputDimensionality'],
      [{ outputDimensionality: 1.5 }, 'outputDimensionality'],
      [{ outputDimensionality: '256' }, 'outputDimensionality'],
      [{ outputDimensionality: 256 }, 'outputDimensionality', OTHER],
    ],
  },
  {
    title: 'task type: string, for example `RETRIEVAL_DOCUMENT`, `RETRIEVAL_QUERY`',
    ...single,
    accepts: [{ taskType: 'RETRIEVAL_DOCUMENT' }, { taskType: 'RETRIEVAL_QUERY' }, { taskType: 'CLUSTERING' }],
    refuses: [[{ taskType: 1 }, 'taskType']],
  },
]);

describeRows('Embeddings (native format), batch', [
  {
    title: '`requests`: array',
    ...batch,
    accepts: [{ requests: [request] }],
    refuses: [
      [{ requests: undefined }, 'requests'],
      [{ requests: [] }, 'requests'],
      [{ requests: request }, 'requests'],
    ],
  },
  {
    title: 'each item has the structure of a single request',
    ...batch,
    accepts: [{ 'requests[1].outputDimensionality': 256, 'requests[0].taskType': 'RETRIEVAL_QUERY' }],
    refuses: [
      [{ 'requests[1].content': undefined }, 'requests[1].content'],
      [{ 'requests[1].content.parts[0].text': '' }, 'requests[1].content.parts'],
      [{ 'requests[0].content.parts': undefined }, 'requests[0].content.parts'],
      [{ 'requests[1].outputDimensionality': 0 }, 'requests[1].outputDimensionality'],
      [{ 'requests[1].outputDimensionality': 256 }, 'requests[1].outputDimensionality', OTHER],
    ],
  },
  {
    title: 'no `model` field, neither in an item nor next to the items',
    ...batch,
    accepts: [{}],
    refuses: [
      [{ 'requests[1].model': 'models/eta-embedding-001' }, 'requests[1].model'],
      [{ 'requests[0].model': 'm', 'requests[1].model': 'm' }, ['requests[0].model', 'requests[1].model']],
      [{ model: 'eta-embedding-001' }, 'model'],
    ],
  },
]);
