import { z } from '@l4desk/protocol';
import type { Exchange } from './exchange.ts';

/** One query kind of the exchange. */
export interface InfoKind<Asked = unknown> {
  readonly type: string;
  /** What a call costs of the exchange's limit per minute and address. */
  readonly weight: 2 | 20;
  /** Items of the response that cost one more for every 20 of them. */
  readonly itemsCost?: true;
  /** Reads the request; one that does not fit is refused as the exchange does (VENUE-11). */
  readonly request: z.ZodType<Asked>;
  /** Gives the body, or undefined when the exchange would fail with 500 `null`. */
  respond(asked: Asked, exchange: Exchange): unknown;
}

/** A kind of which a call has fields, or none where no `request` is given. */
export function infoKind<Asked>(
  kind: Omit<InfoKind<Asked>, 'request'> & Partial<Pick<InfoKind<Asked>, 'request'>>,
): InfoKind {
  return { request: z.unknown(), ...kind };
}
