import type { SessionState } from '@l4desk/protocol';
import { describe, expect, it } from 'vitest';
import { monthFactsOf } from '../../api/account-usage/month-facts.ts';
import { integrityOf } from '../../book-worker/integrity.ts';
import type { LiveStatus } from '../../book-worker/messages.ts';
import { liveStatus } from '../../book-worker/test-support/live-status.ts';
import { ready as readiness } from '../../test-support/readiness.ts';
import { type AlarmFacts, alarmsOf, monitored } from './alarms.ts';

const NOW = Date.UTC(2026, 10, 20, 12);

const session: SessionState = {
  account: { id: 'acc_1', name: 'desk' },
  credentials: { api: { shown: 'k', label: '' }, service: null },
  expiresAt: NOW + 5 * 86_400_000,
  source: { kind: 'live' },
  demo: false,
};

const well: AlarmFacts = {
  now: NOW,
  session,
  readiness,
  response: { kind: 'prompt' },
  overdue: undefined,
  book: undefined,
  month: undefined,
  creditAlertPercent: 0,
  usage: 'current',
  wallets: { w: undefined, all: 43, failed: 0, current: 43, areAwaited: false },
  liquidation: { near: 0, problem: undefined },
  orderCalls: { all: 43, failed: 0 },
};

/** The texts of the alarms, each with the address it leads to. */
const told = (change: Partial<AlarmFacts>) =>
  alarmsOf({ ...well, ...change }).map(({ text, href }) => (href === undefined ? text : `${text} ${href}`));

const book = (change: Partial<LiveStatus>) => {
  const status = liveStatus(NOW, change);
  return { status, integrity: integrityOf(status, NOW, 'simulated') };
};

/** A month in which each complete day used this many credits, of a plan of 3,000. */
function month(perDay: number): AlarmFacts['month'] {
  const by_day = Array.from({ length: 50 }, (_, at) => ({
    date: new Date(Date.UTC(2026, 9, 2 + at)).toISOString().slice(0, 10),
    premium_credits: at === 49 ? 0 : perDay,
    free_credits: 0,
  }));
  const used = { credits_consumed: 0, premium_credits: 0, free_credits: 0 };
  const aggregate = { ...used, max_credits: 3_000, plan: 'team', flex_credits: { limit: 100 } };
  return monthFactsOf({ period: { from: '2026-10-02', to: '2026-11-20' }, aggregate, by_day, by_api_key: [] }, NOW);
}

describe('alarms', () => {
  it('are empty while all is well, and not derived from unknown facts', () => {
    expect(told({})).toEqual([]);
    expect(told({ readiness: undefined, book: book({}), month: month(10) })).toEqual([]);
  });

  const cut = { status: 'failed', problem: 'closed', ageMs: 9_000, blocks: null } as const;
  const gold = { coin: 'xyz:GOLD', since: NOW - 5_000, reason: 'audit', height: 1, epoch: 'e', seq: 1 } as const;
  const books = { 'xyz:GOLD': { ...gold, state: 'rebuilding' as const } };
  const lastGap = { at: NOW - 60_000, detail: 'missed' };
  const different = { kind: 'different', at: NOW, detail: 'order 7' } as const;

  it.each<[string, Partial<AlarmFacts>, ...string[]]>([
    ['a silent service', { response: { kind: 'none' } }, 'The service is not responding'],
    ['credits past the alert', { month: month(20), creditAlertPercent: 12 }, '12.7 % of the plan is used /usage'],
    ['credits below the alert', { month: month(20), creditAlertPercent: 13 }],
    [
      'positions near liquidation, with their page',
      { liquidation: { near: 2, problem: undefined } },
      '2 positions within 10 % of liquidation /balances?view=positions',
    ],
    ['a slow service', { response: { kind: 'slow', ageMs: 6_000 } }, 'The service responds slowly'],
    [
      'a feed that is cut',
      { readiness: { ...readiness, upstreamL4: cut } },
      'The upstream’s order-level feed is disconnected',
    ],
    [
      'an upstream whose blocks stay away, as the header says',
      { overdue: 'No block for 2.0 s, usually 0.07 s.' },
      'The upstream is suspect',
    ],
    [
      'a feed that is cut, once, though its blocks stay away too',
      { overdue: 'No block for 9.0 s, usually 0.07 s.', readiness: { ...readiness, upstreamL4: cut } },
      'The upstream’s order-level feed is disconnected',
    ],
    [
      'a book that the service has lost, with its page',
      { readiness: { ...readiness, books } },
      'The service’s xyz:GOLD book is rebuilding /book/xyz%3AGOLD',
    ],
    ['a warning of the service', { readiness: { ...readiness, warnings: ['OLD is delisted'] } }, 'Service warning'],
    [
      'a stale book',
      { book: book({ lastBlockAt: NOW - 12_000, lastMessageAt: NOW - 12_000 }) },
      'BTC book STALE 12 s /book/BTC',
    ],
    [
      'a lost book from the start of its rebuilding',
      { book: book({ state: { kind: 'rebuilding', since: NOW, reason: 'missing-block', detail: '' } }) },
      'BTC book REBUILDING 0 s /book/BTC',
    ],
    ['a gap of the last hour', { book: book({ gaps: 2, lastGap }) }, 'BTC book: 2 gaps, the last 1 m ago /book/BTC'],
    ['no gap of long ago', { book: book({ gaps: 2, lastGap: { ...lastGap, at: NOW - 3_700_000 } }) }],
    [
      'a book that differed',
      { book: book({ verification: different }) },
      'BTC book differed from its snapshot /book/BTC',
    ],
    [
      'no credits',
      { session: { ...session, creditsExhausted: { used: 5, limit: 5, resets_at: NOW } } },
      'No credits are left /usage',
    ],
    ['a pace that ends the plan', { month: month(130) }, 'The plan may run out on 2026-11-24 /usage'],
    ['a ceiling that is reached', { month: month(200) }, 'The plan’s ceiling was reached on 2026-11-15 /usage'],
    [
      'failed wallets',
      { wallets: { ...well.wallets, failed: 2, current: 41 } },
      '2 of 43 wallets failed /balances?failed=1',
    ],
    [
      'failures among the chosen wallets',
      {
        wallets: { ...well.wallets, w: 'g:desk,0x1', all: 3, failed: 1, current: 2 },
        orderCalls: { all: 3, failed: 1 },
      },
      '1 of 3 wallets failed /balances?w=g%3Adesk%2C0x1&failed=1',
      'Open orders of 1 of 3 wallets failed to load /orders?w=g%3Adesk%2C0x1',
    ],
    [
      'orders that did not come',
      { orderCalls: { all: 43, failed: 1 } },
      'Open orders of 1 of 43 wallets failed to load /orders',
    ],
    [
      'a session that soon ends',
      { session: { ...session, expiresAt: NOW + 3_600_000 } },
      'This session ends in 1 h 00 m',
    ],
  ])('report %s', (_, change, ...alarms) => {
    expect(told(change)).toEqual(alarms);
  });
});

describe('what is monitored', () => {
  it('is everything while everything is known', () => {
    expect(monitored({ ...well, book: book({}) })).toEqual({
      known: [
        'the followed book',
        'the service and its upstream',
        'credits',
        'wallets',
        'liquidation prices of the canonical dex',
        'the session',
      ],
      unknown: [],
    });
  });

  it('is nothing that is unknown or stale, which is stated with the reason', () => {
    const wallets = { ...well.wallets, current: 41 };
    const liquidation = { near: 0, problem: 'worth not loaded' };
    expect(monitored({ readiness: undefined, book: undefined, usage: 'no ServiceKey', wallets, liquidation })).toEqual({
      known: ['the session'],
      unknown: [
        'the followed book (no book is followed)',
        'the service and its upstream (no response yet)',
        'credits (no ServiceKey)',
        'wallets (balances of 41 of 43 wallets are current)',
        'liquidation prices of the canonical dex (worth not loaded)',
      ],
    });
    const none = { ...well.wallets, all: 0, current: 0 };
    expect(monitored({ ...well, wallets: none, usage: 'usage is stale' }).unknown.slice(1)).toEqual([
      'credits (usage is stale)',
      'wallets (none is selected)',
    ]);
    expect(monitored({ ...well, wallets: { ...none, areAwaited: true } }).unknown).toContain(
      'wallets (address book not loaded)',
    );
  });
});
