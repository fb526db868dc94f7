/**
 * A signal that aborts with a TimeoutError after this many ms, and keeps no process alive. Unlike that of `AbortSignal.timeout` it
 * also does so as one of the signals of `AbortSignal.any`, which Node 20 lets the garbage collector take away (UP-38).
 */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException(`Not done within ${ms} ms.`, 'TimeoutError')), ms).unref();
  return controller.signal;
}
