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

it('[INFO-23] a call is sent when a connection takes it; nobody joins once the head of its response is there, and a 1xx is no head', async () => {
  let isClosed = false;
  let isSent = false;
  const flight: CoalescedCall = {
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
  const response = httpPost({ pool, path: '/info', headers: [], body: '{}', hold: { add: () => 'held' }, flight });
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
