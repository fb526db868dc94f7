/** Facts that help to find a fault, as text to paste into a report. Contains no secrets. */
export function diagnosticsText(facts: {
  readonly error?: unknown;
  readonly status?: object | undefined;
  readonly location: Location;
  readonly userAgent: string;
  readonly at: Date;
}): string {
  const { error, status, location, userAgent, at } = facts;
  return JSON.stringify(
    {
      product: 'L4 Desk',
      at: at.toISOString(),
      // Without the fragment, which could have held a sign-in token.
      page: location.pathname + location.search,
      browser: userAgent,
      ...(error instanceof Error ? { error: `${error.name}: ${error.message}`, stack: error.stack } : {}),
      ...(status === undefined ? {} : { status }),
    },
    null,
    2,
  );
}
