import { canonicalJson, type L4BookUpdatesSubscription } from '@l4desk/protocol';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { Subscriptions } from './subscriptions.ts';

interface Said {
  readonly method: 'subscribe' | 'unsubscribe';
  readonly subscription: L4BookUpdatesSubscription;
}

let sent: Said[];
let subscribed: (readonly string[])[];
let refused: { readonly coins: readonly string[]; readonly message: string }[];
let subscriptions: Subscriptions;

beforeEach(() => {
  sent = [];
  subscribed = [];
  refused = [];
  subscriptions = create();
});

function create(status = false): Subscriptions {
  return new Subscriptions(
    { statuses: 'all', status },
    {
      send: (method, subscription) => sent.push({ method, subscription }),
      onSubscribed: (coins) => subscribed.push(coins),
      onAssumed: () => {},
      onRefused: (coins, message) => refused.push({ coins, message }),
      onUnavailable: () => {},
      afterAcknowledgeTime: () => () => {},
    },
  );
}

function on(coin: string | string[]): L4BookUpdatesSubscription {
  return { type: 'l4BookUpdates', coin };
}

function acknowledge(said: Said | undefined): void {
  if (said === undefined) throw new Error('nothing was sent');
  // The echo may have its keys in another order.
  const { type, ...rest } = said.subscription;
  subscriptions.receive({ kind: 'acknowledged', method: said.method, subscription: { ...rest, type } });
}

describe('subscriptions', () => {
  it('[WS-4] sends more than 64 coins as several arrays', () => {
    const coins = Array.from({ length: 130 }, (_, index) => `C${index}`);
    subscriptions.opened();
    subscriptions.add(coins);
    expect(sent.map(({ subscription }) => [subscription.coin].flat().length)).toEqual([64, 64, 2]);
    expect(sent.flatMap(({ subscription }) => [subscription.coin].flat())).toEqual(coins);
  });

  it('[L4-39] requests the states of books until the service refuses the field, and again with the next connection', () => {
    subscriptions = create(true);
    subscriptions.opened();
    subscriptions.add(['BTC']);
    const asking = { ...on('BTC'), status: true };
    subscriptions.receive({ kind: 'error', message: `Invalid subscription ${JSON.stringify(asking)}: no` });
    acknowledge(sent[1]);
    subscriptions.closed();
    subscriptions.opened();
    expect(sent.map(({ subscription }) => subscription)).toEqual([asking, on('BTC'), asking]);
  });

  it('treats a subscription that already exists as acknowledged', () => {
    subscriptions.opened();
    subscriptions.add(['BTC']);
    subscriptions.receive({ kind: 'error', message: `Already subscribed: ${JSON.stringify(on('BTC'))}` });
    expect(subscribed).toEqual([['BTC']]);
  });

  it('[WS-22] requests the coins of a refused array one by one, so that one bad name does not affect the others', () => {
    subscriptions.opened();
    subscriptions.add(['BTC', 'NOPE', 'ETH']);
    const array = JSON.stringify(on(['BTC', 'NOPE', 'ETH']));
    subscriptions.receive({ kind: 'error', message: `Invalid subscription ${array} unknown coin NOPE` });
    expect(sent.slice(1).map(({ subscription }) => subscription.coin)).toEqual(['BTC', 'NOPE', 'ETH']);
    acknowledge(sent[1]);
    const message = `Invalid subscription ${JSON.stringify(on('NOPE'))} unknown coin NOPE`;
    subscriptions.receive({ kind: 'error', message });
    acknowledge(sent[3]);
    expect(subscribed).toEqual([['BTC'], ['ETH']]);
    expect(refused).toEqual([{ coins: ['NOPE'], message }]);
  });

  it('requests a refused coin again with the next connection, unless it was removed', () => {
    subscriptions.opened();
    subscriptions.add(['NEW']);
    subscriptions.add(['NOPE']);
    for (const coin of ['NEW', 'NOPE']) {
      const message = `Invalid subscription ${JSON.stringify(on(coin))}: unknown coin`;
      subscriptions.receive({ kind: 'error', message });
    }
    subscriptions.remove(['NOPE']);
    subscriptions.closed();
    sent.length = 0;
    subscriptions.opened();
    expect(sent).toEqual([{ method: 'subscribe', subscription: on('NEW') }]);
    acknowledge(sent[0]);
    expect(subscribed).toEqual([['NEW']]);
  });

  it('does not take an error about a longer body for one about a shorter one', () => {
    subscriptions.opened();
    subscriptions.add(['BTC']);
    subscriptions.receive({ kind: 'error', message: 'Invalid subscription {"type":"l4BookUpdates","coin":"BTCX"} no' });
    subscriptions.receive({ kind: 'error', message: 'something else' });
    expect(refused).toEqual([]);
  });
});

describe('subscriptions against a model of the service', () => {
  /** The service's state: sets by canonical body, and in-order responses. The coins NO1 and NO2 are refused once delisted. */
  class ServiceModel {
    readonly held = new Map<string, readonly string[]>();
    /** Delisted coins stay in the sets that name them, and are refused from then on. */
    refusing: boolean;
    #responded = 0;

    constructor(refusing: boolean) {
      this.refusing = refusing;
    }

    get streamed(): ReadonlySet<string> {
      return new Set([...this.held.values()].flat());
    }

    respondToOne(): boolean {
      const said = sent[this.#responded];
      if (said === undefined) return false;
      this.#responded += 1;
      const { method, subscription } = said;
      const key = canonicalJson(subscription);
      const coins = [subscription.coin].flat();
      if (this.refusing && coins.some((coin) => coin.startsWith('NO'))) {
        const body = JSON.stringify(subscription);
        if (method === 'subscribe') {
          subscriptions.receive({ kind: 'error', message: `Invalid subscription ${body} unknown coin` });
          return true;
        }
        // Its subscribe was refused meanwhile.
        if (!this.held.has(key)) {
          subscriptions.receive({ kind: 'error', message: `Already unsubscribed: ${body}` });
          return true;
        }
      }
      if (this.held.has(key) !== (method === 'unsubscribe')) throw new Error(`needless ${method} of ${key}`);
      if (method === 'subscribe') this.held.set(key, coins);
      else this.held.delete(key);
      acknowledge(said);
      return true;
    }

    forget(): void {
      this.held.clear();
      this.#responded = sent.length;
    }
  }

  const coin = fc.constantFrom('A', 'B', 'C', 'D', 'NO1', 'NO2');
  const coins = fc.uniqueArray(coin, { minLength: 1, maxLength: 4 });
  const action = fc.oneof(
    fc.record({ kind: fc.constant('add' as const), coins }),
    fc.record({ kind: fc.constant('remove' as const), coins }),
    fc.record({ kind: fc.constant('respond' as const), count: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ kind: fc.constant('reconnect' as const) }),
    fc.record({ kind: fc.constant('delist' as const) }),
  );

  it('[WS-5, WS-6, L4-33] streams a wanted coin throughout, and at the end nothing else', () => {
    fc.assert(
      fc.property(fc.array(action, { maxLength: 40 }), fc.boolean(), (actions, refusing) => {
        sent = [];
        subscribed = [];
        refused = [];
        subscriptions = create();
        subscriptions.opened();
        const model = new ServiceModel(refusing);
        const wanted = new Set<string>();
        const streaming = new Set<string>();
        const respond = () => {
          const going = model.respondToOne();
          for (const item of refused.splice(0).flatMap((refusal) => refusal.coins)) {
            wanted.delete(item);
            streaming.delete(item);
          }
          for (const item of subscribed.splice(0).flat()) streaming.add(item);
          const due = [...streaming].filter((item) => wanted.has(item));
          expect([...model.streamed]).toEqual(expect.arrayContaining(due));
          return going;
        };
        for (const step of actions) {
          if (step.kind === 'add') {
            const fresh = step.coins.filter((item) => !wanted.has(item));
            for (const item of fresh) wanted.add(item);
            subscriptions.add(fresh);
          } else if (step.kind === 'remove') {
            for (const item of step.coins) {
              wanted.delete(item);
              streaming.delete(item);
            }
            subscriptions.remove(step.coins);
          } else if (step.kind === 'respond') {
            for (let count = 0; count < step.count; count += 1) respond();
          } else if (step.kind === 'delist') {
            model.refusing = true;
          } else {
            subscriptions.closed();
            streaming.clear();
            model.forget();
            subscriptions.opened();
          }
        }
        while (respond());
        expect([...model.streamed].toSorted()).toEqual([...wanted].toSorted());
        expect([...streaming].toSorted()).toEqual([...wanted].toSorted());
      }),
      { numRuns: 200 },
    );
  });
});
