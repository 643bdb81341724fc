import type { Answer } from '../answer.ts';
import type { InferenceCall } from '../inference/call.ts';
import { refusedRequest } from '../inference/refusal.ts';
import type { Site } from '../site.ts';
import { filmOf } from './films.ts';
import { askedTask } from './query.ts';
import { needsDownload } from './record.ts';

/** Contract: “Video download result”. */
function downloadOf(id: string, film: Uint8Array) {
  const base64 = Buffer.from(film.buffer, film.byteOffset, film.byteLength).toString('base64');
  return {
    success: true,
    generation_id: id,
    task_id: id,
    format: 'mp4',
    size: film.length,
    base64,
    data_url: `data:video/mp4;base64,${base64}`,
  };
}

/** `GET /v1/video/generations/download?id=<task_id>`: for the family that needs it, once its task has succeeded. */
export async function downloadVideo(site: Site, call: InferenceCall): Promise<Answer> {
  const refused = (message: string, code: string) => refusedRequest(site, call, { status: 400, message, code });
  const id = call.query('id');
  if (id === '') return refused('id: is missing', 'invalid_request');
  const asked = askedTask(site, call, id);
  if ('refusal' in asked) return asked.refusal;
  const { task } = asked;
  if (!needsDownload(task))
    return refused('the result of this task is not downloaded but linked to', 'not_downloadable');
  if (task.status !== 'succeeded') return refused(`the task is ${task.status}`, 'task_not_ready');
  return { status: 200, body: downloadOf(task.task_id, await filmOf(site, task)) };
}
