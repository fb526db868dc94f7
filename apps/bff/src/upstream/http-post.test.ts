import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import type { Flight } from './flights.ts';
import { httpPost } from './http-post.ts';

const controller: Dispatcher.DispatchController = {
  aborted: false,
  paused: false,
  reason: null,
  abort() {},
  pause() {},
  resume() {},
};

it('[INFO-23] nobody joins a call once the head of its answer is there; a 1xx is no head', async () => {
  let isClosed = false;
  const flight: Flight = {
    isAbandoned: false,
    onAbandoned: undefined,
    deadline: 0,
    setback: undefined,
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
  const answer = httpPost({ pool, path: '/info', headers: [], body: '{}', bytesMax: 100, flight });
  handler.onRequestStart?.(controller, {});
  handler.onResponseStart?.(controller, 103, {});
  expect(isClosed).toBe(false);
  handler.onResponseStart?.(controller, 200, {});
  expect(isClosed).toBe(true);
  handler.onResponseData?.(controller, Buffer.from('[]'));
  handler.onResponseEnd?.(controller, {});
  expect((await answer).status).toBe(200);
});
