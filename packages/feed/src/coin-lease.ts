import type { CoinLease } from './api.ts';

/** A hold on a coin that is let go once, however often it is asked to. */
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
