/** What helps to find a fault, as text to paste into a report. Nothing in it is secret. */
export function diagnosticsText(facts: {
  readonly error?: unknown;
  /** Of the stream and its books. */
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
      // Without the fragment, where a sign-in token could have been.
      page: location.pathname + location.search,
      browser: userAgent,
      ...(error instanceof Error ? { error: `${error.name}: ${error.message}`, stack: error.stack } : {}),
      ...(status === undefined ? {} : { status }),
    },
    null,
    2,
  );
}
