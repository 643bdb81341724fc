import { SYSTEM_API } from '../../wire/index.ts';
import { taskShapeOf, viewOf } from '../media/video/task-record.ts';
import { successAnswer } from '../server/answer.ts';
import type { Handler } from './request.ts';

/** `GET /api/task/self?task_id=`: the account’s task with this ID, as a list. Not in the contract. */
export const ownTasks: Handler = (context, { account, query, origin }) => {
  const { method, path } = SYSTEM_API.ownTasks;
  const { listed } = taskShapeOf(context);
  if (listed === undefined) return context.profile.unknownPath(path, method);
  context.scheduler.runIfDue();
  const task = context.ledger.tasks.tryFind(query('task_id'));
  const items = task?.user_id === account.user_id ? [listed(viewOf(context, task, origin))] : [];
  return successAnswer({ page: 1, page_size: 10, total: items.length, items });
};
