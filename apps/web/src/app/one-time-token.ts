/** The token of a one-time sign-in link, waiting to be spent. It is in no URL, history or storage any more. */
export interface OneTimeToken {
  readonly waiting: boolean;
  /** The token, once. */
  take(): string | undefined;
}

/**
 * Takes `#token=…` off the address bar before anything can record it. A fragment never reaches a server, so a prefetch
 * of the link spends nothing and no log holds it (AUTH-21).
 */
export function takeOneTimeToken(location: Location, history: History): OneTimeToken {
  let token = new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;
  if (token !== undefined) history.replaceState(history.state, '', location.pathname + location.search);
  return {
    get waiting() {
      return token !== undefined;
    },
    take() {
      const taken = token;
      token = undefined;
      return taken;
    },
  };
}
