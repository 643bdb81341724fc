import { describe, expect, test } from 'vitest';
import { CallbackNotification, VideoSubmission, VideoTask } from '../../../src/wire/index.ts';

describe('a video task', () => {
  test.each([
    ['queued', 'queued'],
    ['in_progress', 'in_progress'],
    ['running', 'in_progress'],
    ['succeeded', 'succeeded'],
    ['failed', 'failed'],
    ['cancelled', 'cancelled'],
    ['expired', 'expired'],
    ['NOT_START', 'queued'],
    ['SUBMITTED', 'queued'],
    ['QUEUED', 'queued'],
    ['IN_PROGRESS', 'in_progress'],
    ['SUCCESS', 'succeeded'],
    ['FAILURE', 'failed'],
  ])('whose status is %s is %s', (status, known) => {
    expect(VideoTask.parse({ task_id: 't', status })).toEqual({ taskId: 't', status: known, statusText: status });
  });

  test('has the contract’s fields', () => {
    const body = {
      task_id: 't',
      status: 'succeeded',
      format: 'mp4',
      url: 'https://x/v',
      last_frame_url: 'https://x/f',
      usage: { tool_usage: { web_search: 2 } },
    };
    expect(VideoTask.parse(body)).toMatchObject({
      url: 'https://x/v',
      format: 'mp4',
      lastFrameUrl: 'https://x/f',
      webSearches: 2,
    });
  });

  test('of a deployed gateway is found in data, with the reason of a failure', () => {
    const data = { task_id: 't', status: 'FAILURE', progress: '30%', fail_reason: 'no', result_url: '' };
    expect(VideoTask.parse({ code: 'success', message: '', data })).toEqual({
      taskId: 't',
      status: 'failed',
      statusText: 'FAILURE',
      progress: '30%',
      error: { message: 'no' },
    });
  });

  test.each([
    ['FAILURE', 'expired', 'expired'],
    ['FAILURE', 'cancelled', 'cancelled'],
    ['FAILURE', 'failed', 'failed'],
    ['SUCCESS', 'running', 'succeeded'],
    ['IN_PROGRESS', 'failed', 'in_progress'],
  ])('of a deployed gateway that is %s, and %s for its provider, is %s', (outer, inner, status) => {
    const data = { task_id: 't', status: outer, fail_reason: '', data: { status: inner } };
    expect(VideoTask.parse({ code: 'success', data }).status).toBe(status);
  });

  test('of a deployed gateway has the facts of its provider’s record', () => {
    const inner = {
      task_id: 'of the provider',
      status: 'succeeded',
      format: 'mp4',
      url: 'https://provider/v',
      last_frame_url: 'https://provider/f',
      usage: { tool_usage: { web_search: 2 } },
    };
    const data = { task_id: 't', status: 'SUCCESS', progress: '100%', result_url: 'https://x/v', data: inner };
    expect(VideoTask.parse({ code: 'success', data })).toEqual({
      taskId: 't',
      status: 'succeeded',
      statusText: 'SUCCESS',
      progress: '100%',
      url: 'https://x/v',
      format: 'mp4',
      lastFrameUrl: 'https://provider/f',
      webSearches: 2,
    });
    expect(VideoTask.parse({ data: { ...data, result_url: '' } }).url).toBe('https://provider/v');
  });

  test('of a deployed gateway has the code of its provider’s error', () => {
    const data = {
      task_id: 't',
      status: 'FAILURE',
      fail_reason: 'no',
      data: { error: { code: 7, message: 'no film' } },
    };
    expect(VideoTask.parse({ data }).error).toEqual({ code: 7, message: 'no film' });
    const unnamed = { ...data, data: { status: 'failed', error: { code: 7 } } };
    expect(VideoTask.parse({ data: unnamed }).error).toEqual({ code: 7, message: 'no' });
  });

  test.each([[[]], ['x'], [null], [{ output: { task_status: 'FAILED' } }]])(
    'of a deployed gateway needs nothing of a provider’s record that is %j',
    (inner) => {
      const data = { task_id: 't', status: 'FAILURE', fail_reason: 'no', data: inner };
      expect(VideoTask.parse({ data })).toMatchObject({ status: 'failed', error: { message: 'no' } });
    },
  );

  test('of an older one has its link in the field for the reason', () => {
    const data = { task_id: 't', status: 'SUCCESS', fail_reason: 'https://x/v' };
    expect(VideoTask.parse({ data })).toMatchObject({ url: 'https://x/v' });
  });

  test('has no error while it has not failed, and no link before it succeeded', () => {
    const task = VideoTask.parse({ task_id: 't', status: 'queued', error: null, url: 'https://x/v', fail_reason: 'x' });
    expect(task).not.toHaveProperty('error');
    expect(task).not.toHaveProperty('url');
  });

  test.each([{ task_id: 't' }, { code: 'task_not_exist', data: null }, [], null, { error: {} }])(
    'is not %j',
    (body) => {
      expect(VideoTask.safeParse(body).success).toBe(false);
    },
  );
});

test('a submission without any id is none', () => {
  for (const body of [{}, { task_id: '' }, { data: '' }, { data: {} }, null]) {
    expect(VideoSubmission.safeParse(body).success).toBe(false);
  }
});

test('a notification needs an id and a status that is known', () => {
  expect(CallbackNotification.safeParse({ status: 'queued' }).success).toBe(false);
  expect(CallbackNotification.safeParse({ task_id: 't', status: 'odd' }).success).toBe(false);
  expect(CallbackNotification.parse({ task_id: 't', status: 'in_progress' }).status).toBe('running');
});
