/** The token of a one-time sign-in link until it is spent. It is no longer in any URL, history or storage. */
export interface OneTimeToken {
  readonly waiting: boolean;
  /** Returns the token the first time; undefined afterwards. */
  take(): string | undefined;
}

/**
 * Removes `#token=…` from the address bar before anything can record it. A fragment never reaches a server, so a prefetch of
 * the link does not spend the token and no log contains it (AUTH-21).
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
