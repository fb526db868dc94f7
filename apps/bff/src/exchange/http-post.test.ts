import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import type { CoalescedCall } from './coalesced-calls.ts';
import { httpPost } from './http-post.ts';

const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort() {},
  pause() {},
  resume() {},
};

it('[INFO-23] a call counts as sent when a connection takes it, and is closed to joiners by the response head but not by a 1xx', async () => {
  let isClosed = false;
  let isSent = false;
  const call: CoalescedCall = {
    isAbandoned: false,
    onAbandoned: undefined,
    deadline: 0,
    setback: undefined,
    users: [],
    onUserJoined: undefined,
    onUserLeft: undefined,
    sent: () => {
      isSent = true;
    },
    unsent() {},
    close: () => {
      isClosed = true;
    },
  };
  let handler: Dispatcher.DispatchHandler = {};
  const pool = {
    dispatch(_: Dispatcher.DispatchOptions, given: Dispatcher.DispatchHandler) {
      handler = given;
      return true;
    },
  };
  const response = httpPost({ pool, path: '/info', headers: [], body: '{}', hold: { add: () => 'held' }, call });
  expect(isSent).toBe(false);
  handler.onRequestStart?.(controller, {});
  expect(isSent).toBe(true);
  handler.onResponseStart?.(controller, 103, {});
  expect(isClosed).toBe(false);
  handler.onResponseStart?.(controller, 200, {});
  expect(isClosed).toBe(true);
  handler.onResponseData?.(controller, Buffer.from('[]'));
  handler.onResponseEnd?.(controller, {});
  expect((await response).status).toBe(200);
});
