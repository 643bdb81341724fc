import type { Site } from '../../context.ts';
import { downloadedFilm } from '../../failures/films.ts';
import { taskFlawOf } from '../../failures/task-flaws.ts';
import { refusedRequest } from '../../inference/refusal.ts';
import type { InferenceCall } from '../../inference/request.ts';
import type { StoredTask } from '../../ledger/tasks.ts';
import type { Answer } from '../../server/answer.ts';
import { filmOf } from './films.ts';
import { askedTask } from './task-query.ts';
import { needsDownload } from './task-record.ts';

/** Contract: “Video download result”. */
async function downloadOf(site: Site, task: StoredTask) {
  const flaw = taskFlawOf(site, task);
  const whole = await filmOf(site, task);
  const film = downloadedFilm(whole, flaw);
  const base64 = Buffer.from(film.buffer, film.byteOffset, film.byteLength).toString('base64');
  return {
    success: true,
    generation_id: task.task_id,
    task_id: task.task_id,
    format: 'mp4',
    size: whole.length,
    ...(flaw === 'no-url' ? {} : { base64, data_url: `data:video/mp4;base64,${base64}` }),
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
  return { status: 200, body: await downloadOf(site, task) };
}
