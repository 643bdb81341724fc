import * as z from 'zod';
import { ifAny } from './tolerant.ts';

/** The states of a video task. The last four are final. */
export type VideoStatus = 'queued' | 'in_progress' | 'succeeded' | 'failed' | 'cancelled' | 'expired';

/** A video task as the client knows it, whichever shape the gateway returns. */
export interface VideoTask {
  /** Empty where the answer does not repeat it. */
  readonly taskId: string;
  /** The status in the words of the contract. */
  readonly status: VideoStatus;
  /** The gateway's own text. */
  readonly statusText: string;
  /** The progress as the gateway reports it, such as `40%`. */
  readonly progress?: string;
  /** The link to the video, once it succeeded. */
  readonly url?: string;
  /** The format of the video, such as `mp4`. */
  readonly format?: string;
  /** The reason of a failure. */
  readonly error?: { readonly code?: string | number; readonly message: string };
  /** The link to the last frame, where it was requested. */
  readonly lastFrameUrl?: string;
  /** The number of web searches that the task made. */
  readonly webSearches?: number;
}

/** The statuses of the contract's records and notifications, and of deployed gateways. */
const STATUSES: Readonly<Record<string, VideoStatus>> = {
  queued: 'queued',
  not_start: 'queued',
  submitted: 'queued',
  pending: 'queued',
  in_progress: 'in_progress',
  running: 'in_progress',
  processing: 'in_progress',
  succeeded: 'succeeded',
  success: 'succeeded',
  completed: 'succeeded',
  failed: 'failed',
  failure: 'failed',
  cancelled: 'cancelled',
  canceled: 'cancelled',
  expired: 'expired',
};

const Content = z.lazy(() => z.looseObject({ video_url: ifAny(z.string()), last_frame_url: ifAny(z.string()) }));
const facts = () => ({
  progress: ifAny(z.union([z.string(), z.number()])),
  format: ifAny(z.string()),
  url: ifAny(z.string()),
  video_url: ifAny(z.string()),
  result_url: ifAny(z.string()),
  last_frame_url: ifAny(z.string()),
  content: ifAny(Content),
  error: ifAny(
    z.union([
      z.looseObject({ code: ifAny(z.union([z.number(), z.string()])), message: ifAny(z.string()) }),
      z.string().transform((message) => ({ code: undefined, message })),
    ]),
  ),
  fail_reason: ifAny(z.string()),
  usage: ifAny(z.looseObject({ tool_usage: ifAny(z.looseObject({ web_search: ifAny(z.number()) })) })),
});
/** The provider's own record, whose shape differs by provider: what it has of these fields is read. */
const ProviderRecord = z.lazy(() => z.looseObject({ ...facts(), status: ifAny(z.string()) }));
const TaskRecord = z.lazy(() =>
  z.looseObject({
    ...facts(),
    task_id: ifAny(z.string()),
    id: ifAny(z.string()),
    status: z.string(),
    data: ifAny(ProviderRecord),
  }),
);
type TaskFacts = z.output<typeof ProviderRecord>;
type TaskRecord = z.output<typeof TaskRecord>;

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Deployed gateways put the record into `data`, and the provider's into `data` of that. */
const unwrapped = (body: unknown): unknown =>
  isObject(body) && typeof body.status !== 'string' && isObject(body.data) ? body.data : body;

const nonEmpty = (text: string | null | undefined): string | undefined => (text ? text : undefined);

/** Older deployments keep the link of a finished task in the field for what went wrong. */
const linkIn = (reason: string | undefined): string | undefined =>
  reason !== undefined && /^(https?|data):/.test(reason) ? reason : undefined;

function urlOf(record: TaskFacts): string | undefined {
  const { url, video_url, result_url, content, fail_reason } = record;
  return [url, result_url, video_url, content?.video_url].map(nonEmpty).find(Boolean) ?? linkIn(nonEmpty(fail_reason));
}

function errorOf({ error: own, fail_reason, data }: TaskRecord): VideoTask['error'] {
  const { code, message } = own ?? data?.error ?? {};
  const text = nonEmpty(message) ?? nonEmpty(fail_reason) ?? nonEmpty(data?.fail_reason);
  if (text === undefined && (code === undefined || code === null)) return undefined;
  return { ...(code === undefined || code === null ? {} : { code }), message: text ?? '' };
}

const lastFrameOf = ({ last_frame_url: url, content }: TaskFacts): string | undefined =>
  nonEmpty(url) ?? nonEmpty(content?.last_frame_url);

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

const known = <T extends object>(members: T): Partial<Defined<T>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Partial<Defined<T>>;

/** The provider's status where it explains a failure: deployed gateways know neither `expired` nor `cancelled`. */
function statusTextOf({ status, data }: TaskRecord): string {
  const inner = data?.status ?? '';
  const explains = ['expired', 'cancelled'].includes(statusOf(inner)) && statusOf(status) === 'failed';
  return explains ? inner : status;
}

// An unknown status does not end the task: the caller's time limit does.
const statusOf = (text: string): VideoStatus => STATUSES[text.toLowerCase()] ?? 'in_progress';

function taskOf(record: TaskRecord): VideoTask {
  const { data } = record;
  const statusText = statusTextOf(record);
  const status = statusOf(statusText);
  const failed = status === 'failed' || status === 'cancelled' || status === 'expired';
  return {
    taskId: record.task_id ?? record.id ?? '',
    status,
    statusText,
    ...known({
      progress: record.progress === undefined || record.progress === null ? undefined : String(record.progress),
      url: status === 'succeeded' ? (urlOf(record) ?? (data ? urlOf(data) : undefined)) : undefined,
      format: nonEmpty(record.format) ?? nonEmpty(data?.format),
      error: failed ? errorOf(record) : undefined,
      lastFrameUrl: lastFrameOf(record) ?? (data ? lastFrameOf(data) : undefined),
      webSearches: record.usage?.tool_usage?.web_search ?? data?.usage?.tool_usage?.web_search ?? undefined,
    }),
  };
}

/** The contract's flat record, or the one in `data` of deployed gateways. Contract: “Video task record”. */
export const VideoTask = z.preprocess(unwrapped, TaskRecord.transform(taskOf));

const Submission = z.lazy(() =>
  z.looseObject({
    task_id: ifAny(z.string()),
    id: ifAny(z.string()),
    model: ifAny(z.string()),
    status: ifAny(z.string()),
    format: ifAny(z.string()),
  }),
);

/** The result of submitting: the task id, which is all that is needed. */
const submitted = (body: unknown): unknown => {
  if (!isObject(body) || nonEmpty(String(body.task_id ?? body.id ?? '')) !== undefined) return body;
  return typeof body.data === 'string' ? { task_id: body.data } : (body.data ?? body);
};

/** Contract: “Video submission response”, in both shapes; deployed gateways may put it into `data`. */
export const VideoSubmission = z.preprocess(
  submitted,
  Submission.transform(({ task_id, id, model, status, format }, context) => {
    const taskId = nonEmpty(task_id) ?? nonEmpty(id);
    if (taskId === undefined) {
      context.addIssue({ code: 'custom', message: 'has no task_id' });
      return z.NEVER;
    }
    return { taskId, ...known({ model: nonEmpty(model), statusText: nonEmpty(status), format: nonEmpty(format) }) };
  }),
);
export type VideoSubmission = z.output<typeof VideoSubmission>;

/** Without `base64` and `data_url`, which are read as they come. Contract: “Video download result”. */
export const VideoDownload = z.lazy(() =>
  z.looseObject({
    success: ifAny(z.boolean()),
    generation_id: ifAny(z.string()),
    task_id: ifAny(z.string()),
    format: ifAny(z.string()),
    size: ifAny(z.number()),
  }),
);

export type NotifiedStatus = Exclude<VideoStatus, 'in_progress'> | 'running';

/** A provider's notification about a task, in the words of the contract's “Events”. */
export interface CallbackNotification extends Omit<VideoTask, 'status'> {
  /** The status that the provider reports. */
  readonly status: NotifiedStatus;
}

/** The body of a notification: the provider's own task record. Its field names are not shown; a task query's are taken. */
export const CallbackNotification = VideoTask.transform((task, context): CallbackNotification => {
  if (task.taskId !== '' && STATUSES[task.statusText.toLowerCase()])
    return { ...task, status: task.status === 'in_progress' ? 'running' : task.status };
  context.addIssue({ code: 'custom', message: 'has no task ID, or an unknown status' });
  return z.NEVER;
});
