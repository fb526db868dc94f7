/**
 * Returns a signal that aborts with a TimeoutError after this many ms. It does not keep the process alive. Unlike the signal of
 * `AbortSignal.timeout`, it also works inside `AbortSignal.any`: Node 20 may garbage-collect the former there (UP-38).
 */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException(`Not done within ${ms} ms.`, 'TimeoutError')), ms).unref();
  return controller.signal;
}
