import {
  type DocumentChange,
  type DocumentReplaced,
  ERROR_CODES,
  type ErrorBody,
  type HttpErrorCode,
  type KeptDocument,
  type Readiness,
  type SessionState,
  type SessionWallets,
  type SignedOutState,
  type Usage,
} from '@l4desk/protocol';
import { vi } from 'vitest';
import { ready } from './readiness.ts';

export const KEY = 'l4k_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG';
const TOKEN = 'one-time-token';

/** The body of an information query: the fields by which tests tell queries apart. */
export interface InfoBody {
  readonly type: string;
  readonly user?: string;
  readonly users?: readonly string[];
  readonly dex?: string;
  readonly coin?: string;
}

const demo: SessionState = {
  account: { id: 'acc_1', name: 'demo' },
  credentials: { api: { shown: 'l4k_…DEFG', label: 'test' }, service: null },
  expiresAt: Date.now() + 86_400_000,
  source: { kind: 'simulated' },
  demo: true,
};

const usage: Usage = {
  data: {
    period: { from: '2026-05-01', to: '2026-05-05' },
    aggregate: {
      credits_consumed: 412,
      max_credits: 1_000,
      premium_credits: 312,
      free_credits: 100,
      plan: 'team',
      flex_credits: { limit: 100 },
    },
    by_day: [],
    by_api_key: [],
  },
};

/** The service's session endpoints behind `fetch`, for one browser. */
export class FakeService {
  signedIn = false;
  /** Whether the browser has a session cookie. It keeps the cookie after the session has ended. */
  #hasCookie = false;
  reachable = true;
  token: string | undefined = TOKEN;
  session: SessionState = demo;
  /** Credits used in the month so far, out of 1,000. */
  creditsConsumed = usage.data.aggregate.credits_consumed;
  /** The readiness that the service reports. */
  readiness: Readiness = ready;
  /** Readiness responses wait for this promise. */
  readyResponded: Promise<void> = Promise.resolve();
  /** The coins that the exchange lists; undefined if no response comes. */
  coins: readonly string[] | undefined = ['BTC', 'ETH', 'xyz:GOLD'];
  /** Example wallets of the demo; undefined for none. */
  examples: SessionWallets['wallets'] | undefined;
  /** What the account keeps. */
  kept: Omit<KeptDocument, 'account'> = { version: 0, document: null };
  /** With what it refuses to read and to replace it. */
  documentRefusal: HttpErrorCode | undefined;
  /** Returns the response to an information query, or its body; undefined responds with 404. */
  info: (query: InfoBody) => unknown = () => undefined;
  /** Responses about the session wait for this promise, and report the state at the time of the request. */
  sessionResponded: Promise<void> = Promise.resolve();
  /** The error with which it responds to the question who is signed in. */
  sessionRefusal: ErrorBody | undefined;
  /** Every call: method, path and body. */
  readonly calls: { readonly method: string; readonly path: string; readonly body: unknown }[] = [];

  constructor() {
    vi.stubGlobal('fetch', (url: string, init: RequestInit = {}) => {
      const response = this.#respond(url.replace(location.origin, ''), init);
      return Promise.race([response, abortOf(init.signal)]);
    });
  }

  async #respond(path: string, { method = 'GET', body }: RequestInit): Promise<Response> {
    const sent: unknown = typeof body === 'string' ? JSON.parse(body) : undefined;
    this.calls.push({ method, path, body: sent });
    if (!this.reachable) throw new TypeError('Failed to fetch');
    if (path === '/session' && method === 'POST') return this.#signIn(sent as Record<string, string>);
    if (path === '/healthz') return Response.json({});
    if (path === '/readyz') {
      await this.readyResponded;
      return Response.json(this.readiness);
    }
    const wasSignedIn = this.signedIn;
    this.#hasCookie ||= wasSignedIn;
    const isNewBrowser = !this.#hasCookie;
    if (path === '/session' && method === 'GET') await this.sessionResponded;
    if (path === '/session' && method === 'GET' && this.sessionRefusal !== undefined)
      return Response.json(this.sessionRefusal, { status: this.sessionRefusal.code });
    if (path === '/session' && method === 'GET' && isNewBrowser)
      return Response.json({ account: null } satisfies SignedOutState);
    if (!wasSignedIn) return refusal(401, 'unauthorized');
    if (path === '/session' && method === 'DELETE') {
      this.signedIn = false;
      this.#hasCookie = false;
      return new Response(null, { status: 204 });
    }
    if (path === '/session') return Response.json(this.session);
    if (path === '/session/wallets' && this.examples !== undefined) return Response.json({ wallets: this.examples });
    if (path.startsWith('/platform/usage/')) {
      const aggregate = { ...usage.data.aggregate, credits_consumed: this.creditsConsumed };
      return Response.json({ data: { ...usage.data, aggregate } } satisfies Usage);
    }
    if (path === '/session/coins') {
      if (this.coins === undefined) {
        // The page renders meanwhile.
        await new Promise((resolve) => setTimeout(resolve, 50));
        throw new TypeError('Failed to fetch');
      }
      const coins = this.coins.map((coin) => ({ coin, szDecimals: 5, maxLeverage: 40 }));
      return Response.json({ coins });
    }
    if (path === '/session/document') {
      const refused = this.documentRefusal;
      if (refused !== undefined) return refusal(ERROR_CODES[refused].status, refused);
      if (method === 'GET') return Response.json(this.#kept());
      const { account, version, document } = sent as DocumentChange;
      const isReplaced = account === this.session.account.id && version === this.kept.version;
      if (isReplaced) this.kept = { version: version + 1, document };
      return Response.json(
        (isReplaced
          ? { kind: 'replaced', version: version + 1 }
          : { kind: 'conflict', kept: this.#kept() }) satisfies DocumentReplaced,
      );
    }
    const found: unknown = path === '/info' ? await this.info(sent as InfoBody) : undefined;
    if (found instanceof Response) return found;
    return found === undefined ? refusal(404, 'not_found') : Response.json(found);
  }

  #kept(): KeptDocument {
    return { account: this.session.account.id, ...this.kept };
  }

  #signIn({ token, apiKey }: Record<string, string>): Response {
    const byToken = token !== undefined && token === this.token;
    if (!byToken && apiKey !== KEY) return refusal(401, 'unauthorized');
    if (byToken) this.token = undefined;
    this.signedIn = true;
    this.#hasCookie = true;
    return Response.json(this.session);
  }
}

export function refusal(status: number, error: ErrorBody['error']): Response {
  return Response.json({ error, message: 'no', code: status, msg: 'no' } satisfies ErrorBody, { status });
}

/** Rejects when the caller gives up. */
function abortOf(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('The caller gave up.', 'AbortError')), {
      once: true,
    });
  });
}
