import { ApiError, type SessionWallets, sessionWallets } from '@l4desk/protocol';

/** Number of wallets per role that a demo shows; more for `spot`. */
const OF_A_ROLE = 3;
const OF_SPOT = 12;

/** Timeout of the request for the venue's wallets. */
const TIMEOUT_MS = 10_000;

/** Loads a few wallets of each role, in the simulated exchange's order, from its control port. */
export async function exampleWallets(controlUrl: string): Promise<SessionWallets> {
  const wallets = sessionWallets.shape.wallets.safeParse(await ask(`${controlUrl}/wallets`));
  if (!wallets.success) throw unknown(wallets.error);
  const taken = new Map<string, number>();
  const few = wallets.data.filter(({ role }) => {
    const before = taken.get(role) ?? 0;
    taken.set(role, before + 1);
    return before < (role === 'spot' ? OF_SPOT : OF_A_ROLE);
  });
  return { wallets: few };
}

async function ask(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return await response.json();
  } catch (error) {
    throw unknown(error);
  }
}

function unknown(cause: unknown): ApiError {
  return new ApiError('upstream_error', 'The simulated exchange did not return its example wallets.', { cause });
}
