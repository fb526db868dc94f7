import { join } from 'node:path';
import { SpecClient, type SpecClientOptions, temporaryDirectory } from '@l4desk/testkit';
import { type IssuedKeys, issueKeys } from '@l4desk/testkit/keys';
import { freePort, Stack } from '@l4desk/testkit/stack';

/** The real service with the simulated exchange as its upstream, and a key of each kind. */
export class Served implements AsyncDisposable {
  readonly stack: Stack;
  readonly apiKey: string;
  readonly serviceKey: string;

  private constructor(stack: Stack, { apiKey, serviceKey }: IssuedKeys) {
    this.stack = stack;
    this.apiKey = apiKey;
    this.serviceKey = serviceKey;
  }

  /** Small books and few refused orders by default, because tests often compare whole books and parse every message. */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<Served> {
    const small = { VENUE_SIZE: '0.02', VENUE_STATUS_RATE: '0.1', VENUE_SEED: 'testkit' };
    // Blocks delayed by a loaded machine are not lost.
    return Served.#of('demo', { ...small, L4_REORDER_MS: '2000', ...env });
  }

  /** Starts another instance whose upstream is this one, with its own account and keys. */
  async behind(env: Readonly<Record<string, string>> = {}): Promise<Served> {
    return Served.#of('desk', {
      UPSTREAM: 'service',
      UPSTREAM_INFO_URL: this.infoUrl,
      UPSTREAM_L4_URL: this.streamUrl,
      UPSTREAM_API_KEY: this.apiKey,
      ...env,
    });
  }

  /** Starts an exchange that writes the files of a node, and an instance that reads them, with its own account and keys. */
  static async onNode(exchangeEnv: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
    const directory = await temporaryDirectory();
    const nodeDir = join(directory.path, 'data');
    const port = String(await freePort());
    const exchange = await Served.start({ VENUE_PORT: port, VENUE_NODE_DIR: nodeDir, ...exchangeEnv });
    const infoUrl = `http://127.0.0.1:${port}/info`;
    const exchangeStream = `ws://127.0.0.1:${port}/exchange/ws`;
    const served = await Served.#of('desk', {
      UPSTREAM: 'exchange',
      UPSTREAM_INFO_URL: infoUrl,
      UPSTREAM_WS_URL: exchangeStream,
      UPSTREAM_WEIGHT_PER_MINUTE: '1000000',
      NODE_DATA_DIR: nodeDir,
      NODE_INFO_URL: infoUrl,
      ...env,
    });
    return {
      served,
      venue: exchange.stack.venue,
      exchangeStream,
      nodeDir,
      async [Symbol.asyncDispose]() {
        for (const part of [served, exchange, directory]) await part[Symbol.asyncDispose]();
      },
    };
  }

  static async #of(account: string, env: Readonly<Record<string, string>>): Promise<Served> {
    // A call to the exchange may take long on a busy machine.
    const stack = await Stack.start({ env: { UPSTREAM_TIMEOUT_MS: '60000', ...env } });
    try {
      return new Served(stack, await issueKeys(stack.directory, account));
    } catch (error) {
      await stack[Symbol.asyncDispose]();
      throw error;
    }
  }

  get infoUrl(): string {
    return `${this.stack.url}/info`;
  }

  get streamUrl(): string {
    return `${this.stack.url.replace('http', 'ws')}/ws`;
  }

  specClient(coins: readonly string[], options: Partial<SpecClientOptions> = {}): SpecClient {
    const { infoUrl, streamUrl, apiKey } = this;
    const client = new SpecClient({ infoUrl, streamUrl, key: apiKey, coins, ...options });
    client.start();
    return client;
  }

  /** Returns the sum of a metric over its labels, or over one label value. */
  async metric(name: string, label = ''): Promise<number> {
    const text = await (await fetch(`${this.stack.url}/metrics`)).text();
    const lines = text.split('\n').filter((line) => line.startsWith(name) && line.includes(label));
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack[Symbol.asyncDispose]();
  }
}
