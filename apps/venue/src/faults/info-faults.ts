import { address, lowerCaseAddress, z } from '@l4desk/protocol';
import type { HttpResponse } from '../http.ts';
import { jsonResponse, textResponse } from '../http.ts';

/**
 * The calls of the info API that a fault affects: the next `count`, or all until `clear`; only those of `type` and
 * `user`, if given.
 */
const scope = {
  kind: z.literal('info'),
  type: z.string().nullable().default(null),
  user: address.transform(lowerCaseAddress).nullable().default(null),
  count: z.int().min(1).max(1_000_000).nullable().default(null),
};

/** Faults of calls of the info API. */
export const infoFault = z.discriminatedUnion('effect', [
  z.strictObject({ ...scope, effect: z.literal('slow'), ms: z.int().min(1).max(3_600_000) }),
  z.strictObject({
    ...scope,
    effect: z.literal('status'),
    status: z.int().min(400).max(599).default(500),
    message: z.string().nullable().default(null),
  }),
  z.strictObject({ ...scope, effect: z.literal('invalid-json') }),
  z.strictObject({ ...scope, effect: z.literal('disconnect') }),
  z.strictObject({ ...scope, effect: z.literal('error'), message: z.string().default('internal error') }),
  z.strictObject({ ...scope, effect: z.literal('rate-limit') }),
]);

export type InfoFault = z.infer<typeof infoFault>;

/** An info fault as `GET /state` shows it; `remaining` is null for one that lasts until `clear`. */
export interface InfoFaultState {
  readonly fault: InfoFault;
  readonly remaining: number | null;
}

/** The exchange's response to a call over its limit. */
export const TOO_MANY = jsonResponse(429, null);

/**
 * The active faults of the info API. The first one that matches applies to a call; after a `slow` one, another may apply
 * as well.
 */
export class InfoFaults {
  #active: { readonly fault: InfoFault; remaining: number | null }[] = [];
  readonly #sleepers = new Set<() => void>();

  get states(): readonly InfoFaultState[] {
    return this.#active.map(({ fault, remaining }) => ({ fault, remaining }));
  }

  add(fault: InfoFault): void {
    this.#active.push({ fault, remaining: fault.count });
  }

  /** Ends all faults; delayed calls get their responses at once. */
  clear(): void {
    this.#active = [];
    for (const wake of this.#sleepers) wake();
  }

  /**
   * Applies the faults to a call. `respond` makes the normal response. Returns that, another response, or null to break
   * the connection.
   */
  async pass(type: string, user: string | null, respond: () => HttpResponse): Promise<HttpResponse | null> {
    const slow = this.#take(type, user, true);
    const other = this.#take(type, user, false);
    if (slow?.effect === 'slow') await this.#sleep(slow.ms);
    switch (other?.effect) {
      case 'status':
        return other.message === null ? jsonResponse(other.status, null) : textResponse(other.status, other.message);
      case 'invalid-json': {
        const whole = respond();
        return { ...whole, body: whole.body.slice(0, Math.max(1, Math.floor(whole.body.length / 2))) };
      }
      case 'disconnect':
        return null;
      case 'error':
        return jsonResponse(200, { error: other.message });
      case 'rate-limit':
        return TOO_MANY;
      default:
        return respond();
    }
  }

  #take(type: string, user: string | null, slow: boolean): InfoFault | undefined {
    const found = this.#active.find(
      ({ fault }) =>
        (fault.effect === 'slow') === slow &&
        (fault.type === null || fault.type === type) &&
        (fault.user === null || fault.user === user),
    );
    if (found !== undefined && found.remaining !== null) {
      found.remaining -= 1;
      if (found.remaining === 0) this.#active = this.#active.filter((each) => each !== found);
    }
    return found?.fault;
  }

  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.#sleepers.add(wake);
    });
  }
}
