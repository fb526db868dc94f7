/** A signal that aborts after this many ms. Node 20 may garbage-collect `AbortSignal.timeout`'s. */
export function timeoutSignal(ms: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException(`Not done within ${ms} ms.`, 'TimeoutError')), ms).unref();
  return controller.signal;
}
