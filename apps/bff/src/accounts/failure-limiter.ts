import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { callerNetwork } from '../http/client-address.ts';
import { ServiceError } from '../http/errors.ts';

/**
 * Counts refused credentials by caller, so that guessing is slowed down and answered with 429. A caller is looked at before
 * its key is looked up and counted after, so guesses that arrive together all pass: what stands against guessing is the 256
 * bits of a key, and this keeps a caller that tries keys without end from the database and out of the log.
 */
export interface FailureLimiter {
  /** The refusal of a caller that has failed too often, else undefined. */
  refusal(address: string): Promise<ServiceError | undefined>;
  /** Counts one failure; answers the refusal when it was one too many. */
  count(address: string): Promise<ServiceError | undefined>;
}

const WINDOW_S = 60;

export function failureLimiter(failuresPerMinuteMax: number): FailureLimiter {
  const limiter = new RateLimiterMemory({ points: failuresPerMinuteMax, duration: WINDOW_S });
  return {
    async refusal(address) {
      const state = await limiter.get(callerNetwork(address));
      return state !== null && state.consumedPoints >= failuresPerMinuteMax
        ? tooManyAttempts(state.msBeforeNext)
        : undefined;
    },
    async count(address) {
      try {
        await limiter.consume(callerNetwork(address));
        return undefined;
      } catch (thrown) {
        if (thrown instanceof RateLimiterRes) return tooManyAttempts(thrown.msBeforeNext);
        throw thrown;
      }
    },
  };
}

function tooManyAttempts(waitMs: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new ServiceError(
    'too_many_attempts',
    `Too many refused credentials from this address; try again in ${seconds} s.`,
    {
      headers: { 'Retry-After': String(seconds) },
    },
  );
}
