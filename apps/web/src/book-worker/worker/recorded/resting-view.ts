import type { CoinState, CoinView } from '@l4desk/client';

/** Why a live book is not followed. */
export const RECORDING_SHOWN = 'a recording was shown in its place';

/** A coin that is not followed, because a recording of it is shown. */
export function restingView(coin: string, since: number): CoinView {
  const detail = 'not followed while a recording is shown';
  return viewWithoutBook(coin, { kind: 'waiting', reason: null, detail, since });
}

export function viewWithoutBook(coin: string, state: CoinState): CoinView {
  return {
    coin,
    state,
    book: undefined,
    height: undefined,
    seq: undefined,
    epoch: undefined,
    blockTime: undefined,
    gaps: 0,
    lastGap: undefined,
    resumes: 0,
    lastBlockAt: undefined,
    lastMessageAt: undefined,
    provedHeight: undefined,
    verifiedAt: undefined,
  };
}
