import { ServiceError, TransportError, WalletError, WireFormatError } from '@l4desk/client';
import { ERROR_CODES, type ErrorBody, type HttpErrorCode } from '@l4desk/protocol';
import { counted, momentText, type TimeZone, wholeText } from '../format.ts';

/** An error turned into an instruction. */
export interface Advice {
  readonly title: string;
  /** What it means for the numbers on screen and what to do. */
  readonly text: string;
  /** Whether the same call may succeed if it is repeated unchanged. */
  readonly retryable: boolean;
  /** How long the service asks to wait before a retry, in ms. */
  readonly waitMs?: number;
}

const BEFORE = 'the data on screen is from the last successful load';

/**
 * Turns any failure of a call to the service into what happened, what it means and what to do (D1). `kept` says whether earlier
 * numbers are still shown.
 */
export function adviceOf(error: unknown, zone: TimeZone, kept = true): Advice {
  const unchanged = kept ? `Nothing was charged; ${BEFORE}.` : 'Nothing was charged.';
  if (error instanceof ServiceError) return ofService(error, zone, kept, unchanged);
  if (isUnreachable(error)) {
    return {
      title: 'The service did not respond',
      text: `${kept ? `${sentence(BEFORE)} ` : ''}Check that the service is running, then try again.`,
      retryable: true,
    };
  }
  if (error instanceof TransportError) {
    return {
      title: `Unexpected response (HTTP ${error.status ?? '?'})`,
      text: `The response did not come from the service; a proxy may have sent it. ${unchanged} Try again, or open the service’s own URL.`,
      retryable: true,
    };
  }
  if (error instanceof WalletError) {
    const text = `${sentence(error.message)} The call was charged${kept ? `; ${BEFORE}` : ''}. Try again.`;
    return { title: 'Every wallet failed', text, retryable: true };
  }
  if (error instanceof WireFormatError) {
    return {
      title: 'Unexpected response format',
      text: `This page could not read the service’s response (${error.message}), so it is not shown. Reload: the page may be older than the service.`,
      retryable: false,
    };
  }
  return {
    title: 'This page failed',
    text: `${sentence(error instanceof Error ? error.message : String(error))} The error is in this page; the service’s data is not affected.`,
    retryable: false,
  };
}

/** What the user can do here, if that is more than the service's message says. */
const ACTIONS: Partial<Readonly<Record<HttpErrorCode, string>>> = {
  wrong_credential: 'Sign out, then sign in with that key as well; “l4desk keys create” makes one.',
  unknown_coin: 'Choose another coin.',
  unsupported_coin: 'Choose another coin.',
};

function ofService(error: ServiceError, zone: TimeZone, kept: boolean, unchanged: string): Advice {
  const { code, retryable, retryAfterMs, path } = error;
  if (code === 'unauthorized') {
    return { title: 'Signed out', text: 'The session or its key is no longer valid. Sign in again.', retryable };
  }
  if (code === 'credits_exhausted') return { ...creditsAdvice(error.body, zone, kept), retryable };
  const { title } = ERROR_CODES[code];
  const message = sentence(error.message);
  if (retryable) {
    return retryAfterMs === undefined
      ? { title, text: `${message} ${unchanged} Try again.`, retryable }
      : { title, text: `${message} ${unchanged} Wait, then try again.`, retryable, waitMs: retryAfterMs };
  }
  const field = path === undefined ? undefined : `The field is “${path}”.`;
  const text = [message, field, ACTIONS[code], 'Nothing was charged.'].filter((part) => part !== undefined).join(' ');
  return { title, text, retryable };
}

function creditsAdvice(body: ErrorBody, zone: TimeZone, kept: boolean): Pick<Advice, 'title' | 'text'> {
  const { needed, used, limit, resets_at: resetsAt } = body;
  const head = kept ? 'Not refreshed' : 'Not loaded';
  const tail = `Nothing was charged${kept ? `; ${BEFORE}` : ''}.`;
  if (used === undefined || limit === undefined || resetsAt === undefined) {
    return { title: `${head}: too few credits`, text: `${sentence(body.message)} ${tail}` };
  }
  const left = Math.max(0, limit - used);
  const lack =
    needed === undefined ? 'too few credits' : `${counted(needed, 'credit')} needed, ${wholeText(left)} left`;
  // Credits reserved by calls in flight may become available again.
  const held = needed !== undefined && left >= needed ? ', reserved by calls in progress' : '';
  return { title: `${head}: ${lack}${held}`, text: `${creditsResetText({ used, limit, resetsAt }, zone)} ${tail}` };
}

/** The used credits of the month, when they reset, what raises the limit, and what works without any. */
export function creditsResetText(
  { used, limit, resetsAt }: { readonly used: number; readonly limit: number; readonly resetsAt: number },
  zone: TimeZone,
): string {
  const when = momentText(resetsAt, zone).replace(/\.\d+/, '');
  return `${wholeText(used)} of ${wholeText(limit)} credits of this month are used; they reset at ${when}. Until then “l4desk accounts set-plan” can raise the limit. Loaded data, kept minutes, recordings and Usage work without credits.`;
}

/**
 * Whether an error would repeat for every further call and says nothing about any wallet: signed out, too few credits, a key
 * without permission.
 */
export function isRefusal(error: unknown): error is ServiceError {
  return error instanceof ServiceError && [401, 402, 403].includes(error.status);
}

/** Whether the upstream does not serve this kind of query: no call of the kind will succeed until the operator changes that. */
export function isNotServed(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'not_served_upstream';
}

/** Whether there was no response at all, which says nothing about the requested data. */
export function isUnreachable(error: unknown): error is TransportError {
  return error instanceof TransportError && error.code !== 'status';
}

/**
 * The error of several calls that is reported once for all of them: none got a response, all were refused, or the upstream serves
 * none of them.
 */
export function commonError(errors: readonly unknown[]): unknown {
  return [isUnreachable, isRefusal, isNotServed].some((isCommon) => errors.every(isCommon)) ? errors[0] : undefined;
}

export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
