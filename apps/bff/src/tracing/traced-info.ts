import { requestNotes } from '../http/request-log.ts';
import type { infoHandler } from '../info/route.ts';
import type { Traces } from './traces.ts';

/** Wraps the `/info` handler so that each call runs in a span. */
export function tracedInfo(traces: Traces, handle: ReturnType<typeof infoHandler>): ReturnType<typeof infoHandler> {
  return (request, response) =>
    traces.call(
      () => handle(request, response),
      () => {
        const { kind, principal, error } = requestNotes(request);
        return { kind, account: principal?.accountId, status: response.statusCode, error: error?.code };
      },
    );
}
