/**
 * A signal that aborts after this many ms and does not keep the process alive. Node 20 may garbage-collect that of
 * `AbortSignal.timeout` inside `AbortSignal.any` (UP-38).
 */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException(`Not done within ${ms} ms.`, 'TimeoutError')), ms).unref();
  return controller.signal;
}
