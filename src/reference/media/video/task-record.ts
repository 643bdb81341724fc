import type { GatewayContext } from '../../context.ts';
import { tryFindTaskFlaw } from '../../failures/task-flaws.ts';
import { hashText } from '../../inference/content.ts';
import type { StoredTask, TaskStatus } from '../../ledger/tasks.ts';
import { REQUEST_ID_LENGTH, randomText } from '../../random.ts';
import type { Answer } from '../../server/answer.ts';
import { FILES_PATH } from '../hosted-files.ts';
import { type ParsedVideoRequest, parseVideoRequest } from './video-request.ts';

/** A stored task with the facts that its record shows in addition. */
interface TaskView {
  readonly task: StoredTask;
  readonly video: ParsedVideoRequest;
  /** The origin at which the client reached this gateway. */
  readonly origin: string;
  /** Does an injected flaw remove the link to its result? */
  readonly lacksLink: boolean;
}

export const viewOf = (context: GatewayContext, task: StoredTask, origin: string): TaskView => ({
  task,
  origin,
  lacksLink: tryFindTaskFlaw(context, task) === 'no-url',
  video: parseVideoRequest(task.family, context.ledger.tasks.requestOf(task.task_id)),
});

/** Is the result available from the download endpoint only? */
export const needsDownload = ({ family }: StoredTask): boolean => family === 'download-video';

const linkTo = ({ task, origin }: TaskView, extension: string): string =>
  `${origin}${FILES_PATH}${task.task_id}.${extension}`;

const urlOf = (view: TaskView): string | undefined =>
  view.task.status !== 'succeeded' || needsDownload(view.task) || view.lacksLink
    ? undefined
    : (view.task.url ?? linkTo(view, 'mp4'));

/** The number of searches, which the model decides. */
const searchesOf = ({ text }: ParsedVideoRequest): number => hashText(text) % 3;

/** Builds the contract's “Video task record”. Unknown fields are omitted. */
export function taskRecord(view: TaskView, status: string = view.task.status): Readonly<Record<string, unknown>> {
  const { task, video } = view;
  const url = urlOf(view);
  const isDone = task.status === 'succeeded';
  return {
    task_id: task.task_id,
    status,
    format: 'mp4',
    ...(url === undefined ? {} : { url }),
    ...(task.status === 'failed' ? { error: task.error } : {}),
    ...(isDone && video.returnsLastFrame ? { last_frame_url: linkTo(view, 'png') } : {}),
    ...(isDone && video.searches ? { usage: { tool_usage: { web_search: searchesOf(video) } } } : {}),
  };
}

/** Contract: a query knows no cancelled tasks. Its code is that of a request that the client has given up. */
const CANCELLED = { status: 'failed', error: { code: 499, message: 'the task was cancelled' } } as const;

/** Builds the record that a query returns in the contract. */
const queriedRecord = (view: TaskView): Readonly<Record<string, unknown>> => ({
  ...taskRecord(view),
  ...(view.task.status === 'cancelled' ? CANCELLED : {}),
});

const DEPLOYED_STATUS: { readonly [S in TaskStatus]: { readonly status: string; readonly progress: string } } = {
  queued: { status: 'QUEUED', progress: '20%' },
  in_progress: { status: 'IN_PROGRESS', progress: '50%' },
  succeeded: { status: 'SUCCESS', progress: '100%' },
  failed: { status: 'FAILURE', progress: '100%' },
  expired: { status: 'FAILURE', progress: '100%' },
  cancelled: { status: 'FAILURE', progress: '100%' },
};

function failReason({ status, error }: StoredTask): string {
  if (status === 'failed') return error?.message ?? '';
  return status === 'expired' || status === 'cancelled' ? `the task was ${status}` : '';
}

/** Builds the record that some deployments have. */
const deployedRecord = (view: TaskView): unknown => ({
  task_id: view.task.task_id,
  platform: 'video',
  action: 'generate',
  ...DEPLOYED_STATUS[view.task.status],
  fail_reason: failReason(view.task),
  result_url: urlOf(view) ?? '',
  submit_time: view.task.created_at,
  start_time: view.task.started_at ?? 0,
  finish_time: view.task.settled_at ?? 0,
  data: taskRecord(view),
});

interface TaskShape {
  record(view: TaskView): unknown;
  /** Builds an item of the account’s list of tasks, where there is such a list. */
  readonly listed?: (view: TaskView) => unknown;
  missing(context: GatewayContext): Answer;
}

const MISSING = { code: 'task_not_exist', message: 'the task does not exist' } as const;

/** The differences between the profiles when a video task is requested. */
const SHAPES: { readonly [P in GatewayContext['profile']['taskShape']]: TaskShape } = {
  flat: {
    record: queriedRecord,
    missing: (context) => {
      const requestId = randomText(context.random, REQUEST_ID_LENGTH);
      return {
        status: 404,
        body: { error: context.profile.inferenceError({ ...MISSING, requestId, origin: 'relay' }) },
      };
    },
  },
  enveloped: {
    record: (view) => ({ code: 'success', message: '', data: deployedRecord(view) }),
    listed: deployedRecord,
    missing: () => ({ status: 400, body: { ...MISSING, data: null } }),
  },
};

export const taskShapeOf = ({ profile }: GatewayContext): TaskShape => SHAPES[profile.taskShape];
