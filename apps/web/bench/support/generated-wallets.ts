import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Address, SpotBalanceSlot } from '@l4desk/protocol';
import { generatedEntries } from '../../src/features/orders/test-support/orders.ts';
import { passOn } from './pass-on.ts';

/** Tokens of each wallet: enough that fifty refreshes of two wallets fill the journal of changes. */
const TOKENS = 12;

/** The address of the n-th wallet with generated orders and balances. */
export function generatedWallet(n: number): Address {
  return `0x${n.toString(16).padStart(40, '0')}`;
}

/**
 * A server in front of the real service that responds for wallets with more orders than the simulated exchange gives anybody:
 * `historicalOrders` and `batchSpotClearinghouseState`, with different values at every call. All other requests are passed on.
 */
export class GeneratedWallets implements AsyncDisposable {
  readonly #server: Server;
  readonly #service: URL;
  readonly #ordersEach: number;
  #calls = 0;

  private constructor(serviceUrl: string, ordersEach: number) {
    this.#service = new URL(serviceUrl);
    this.#ordersEach = ordersEach;
    this.#server = createServer((incoming, response) => void this.#respond(incoming, response));
  }

  static async start(serviceUrl: string, ordersEach: number): Promise<GeneratedWallets> {
    const wallets = new GeneratedWallets(serviceUrl, ordersEach);
    wallets.#server.listen(0, '127.0.0.1');
    await once(wallets.#server, 'listening');
    return wallets;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #respond(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming);
    const generated = incoming.url === '/info' ? this.#generated(JSON.parse(body) as Asked) : undefined;
    if (generated === undefined) return passOn(incoming, body, response, this.#service);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(generated));
  }

  #generated({ type, users = [] }: Asked): readonly unknown[] | undefined {
    this.#calls += 1;
    if (type === 'historicalOrders') return generatedEntries(this.#ordersEach, this.#calls);
    if (type === 'batchSpotClearinghouseState') return users.map((user) => balances(user, this.#calls));
    return undefined;
  }
}

/** Amounts that no other call has. */
function balances(user: Address, call: number): SpotBalanceSlot {
  const tokens = Array.from({ length: TOKENS }, (_, token) => token);
  return {
    user,
    balances: tokens.map((token) => ({
      coin: `TOKEN${token}`,
      token,
      total: `${1_000 * token + call}`,
      hold: '0.0',
      entryNtl: '0.0',
    })),
  };
}

interface Asked {
  readonly type: string;
  readonly users?: readonly Address[];
}
