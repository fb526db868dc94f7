/** The service counts as not responding after this many ms. */
const TIMEOUT_MS = 5_000;

/** Whether the service responds at all. */
export async function responds(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })).ok;
  } catch {
    return false;
  }
}
