import type { CoinLease } from './api.ts';

/** A lease on a coin. It calls `letGo` once, however often `release` is called. */
export function coinLease(coin: string, letGo: () => void): CoinLease {
  let isHeld = true;
  return {
    coin,
    release: () => {
      if (!isHeld) return;
      isHeld = false;
      letGo();
    },
  };
}
