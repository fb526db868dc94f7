import { z } from '@l4desk/protocol';
import type { Exchange } from './exchange.ts';

/** One query kind of the exchange's info API. */
export interface InfoKind<Asked = unknown> {
  readonly type: string;
  /** What a call costs of the exchange's weight limit per minute and address. */
  readonly weight: 2 | 20 | 60;
  /** Whether every 20 items of the response cost 1 more. */
  readonly itemsCost?: true;
  /** Schema of the request; invalid ones are refused as the exchange does. */
  readonly request: z.ZodType<Asked>;
  /** Returns the response body, or undefined if the exchange would fail with 500 `null`. */
  respond(asked: Asked, exchange: Exchange): unknown;
}

/** Defines a kind. Without `request`, a call needs no fields. */
export function infoKind<Asked>(
  kind: Omit<InfoKind<Asked>, 'request'> & Partial<Pick<InfoKind<Asked>, 'request'>>,
): InfoKind {
  return { request: z.unknown(), ...kind };
}
