import type { Readiness, SessionState } from '@l4desk/protocol';
import { burnRate } from '../../api/account-usage/burn-rate.ts';
import { isAlertReached } from '../../api/account-usage/credit-alert.ts';
import { reachOf } from '../../api/account-usage/forecast.ts';
import type { MonthFacts } from '../../api/account-usage/month-facts.ts';
import type { ServiceResponse } from '../../api/readiness.ts';
import { BOOK_STATE_TEXTS, type Integrity } from '../../book-worker/integrity.ts';
import type { LiveStatus } from '../../book-worker/messages.ts';
import { counted, secondsText } from '../../ui/format.ts';
import { shareText } from '../../ui/share-text.ts';

/** Something that needs attention, and where to see it. */
export interface Alarm {
  readonly id: string;
  readonly text: string;
  readonly detail: string;
  readonly href?: string;
}

/** The facts that alarms are derived from. An undefined fact is unknown and raises no alarm. */
export interface AlarmFacts {
  readonly now: number;
  readonly session: SessionState;
  readonly readiness: Readiness | undefined;
  readonly response: ServiceResponse;
  /** The header's text for blocks of all coins that are overdue; undefined if none are. */
  readonly overdue: string | undefined;
  readonly book: { readonly status: LiveStatus; readonly integrity: Integrity } | undefined;
  readonly month: MonthFacts | undefined;
  /** The share of the plan from which the month's credits raise an alarm; 0 for none. */
  readonly creditAlertPercent: number;
  /** Whether the month's usage is current, and if not, why. */
  readonly usage: 'current' | 'no ServiceKey' | 'usage not loaded' | 'usage is stale';
  readonly wallets: {
    /** The chosen ones, as in the address; undefined for all. */
    readonly w: string | undefined;
    readonly all: number;
    readonly failed: number;
    /** Wallets whose balances are current. */
    readonly current: number;
    /** The address book is being loaded. */
    readonly areAwaited: boolean;
  };
  /** The perp positions known to be within a tenth of their liquidation price, and why others may be. */
  readonly liquidation: { readonly near: number; readonly problem: string | undefined };
  readonly orderCalls: { readonly all: number; readonly failed: number };
}

const DAY_MS = 86_400_000;

/** How long a repaired gap is reported, in ms. */
const GAP_MS = 3_600_000;

/** A book that is opened is unproven for less than this, in ms, without an alarm. */
const SYNC_MS = 5_000;

/** All alarms. Those that make the numbers on screen worthless come first. */
export function alarmsOf(facts: AlarmFacts): readonly Alarm[] {
  return [
    ...serviceAlarms(facts),
    ...bookAlarms(facts),
    ...creditAlarms(facts),
    ...walletAlarms(facts),
    ...sessionAlarms(facts),
  ];
}

/** What the alarms are derived from, shown if there are none, and what is unknown and therefore not monitored, with the reason. */
export function monitored(facts: Pick<AlarmFacts, 'book' | 'readiness' | 'usage' | 'wallets' | 'liquidation'>): {
  readonly known: readonly string[];
  readonly unknown: readonly string[];
} {
  const { book, readiness, usage, wallets, liquidation } = facts;
  const parts: readonly (readonly [text: string, problem: string | undefined])[] = [
    ['the followed book', book === undefined ? 'no book is followed' : undefined],
    ['the service and its upstream', readiness === undefined ? 'no response yet' : undefined],
    ['credits', usage === 'current' ? undefined : usage],
    ['wallets', walletsProblem(wallets)],
    ['liquidation prices of the canonical dex', liquidation.problem],
    ['the session', undefined],
  ];
  return {
    known: parts.flatMap(([text, problem]) => (problem === undefined ? text : [])),
    unknown: parts.flatMap(([text, problem]) => (problem === undefined ? [] : `${text} (${problem})`)),
  };
}

function walletsProblem({ all, current, areAwaited }: AlarmFacts['wallets']): string | undefined {
  if (all === 0) return areAwaited ? 'address book not loaded' : 'none is selected';
  return current === all ? undefined : `balances of ${current} of ${counted(all, 'wallet')} are current`;
}

function serviceAlarms({ readiness, response, overdue, now }: AlarmFacts): readonly Alarm[] {
  if (response.kind === 'none') {
    return [{ id: 'silent', text: 'The service is not responding', detail: 'All data shown may be out of date.' }];
  }
  const slow = response.kind === 'slow' ? [slowAlarm(response.ageMs)] : [];
  if (readiness === undefined) return slow;
  const { upstreamL4, upstreamInfo, database, ledger, books, warnings } = readiness;
  const broken = Object.values(books).filter(
    ({ state }) => state !== 'live' && state !== 'building' && state !== 'waiting',
  );
  return [
    ...slow,
    ...problem('feed', 'The upstream’s order-level feed is disconnected', upstreamL4),
    ...(overdue === undefined || upstreamL4.status !== 'ok'
      ? []
      : [{ id: 'overdue', text: 'The upstream is suspect', detail: overdue }]),
    ...problem('queries', 'The upstream is not responding to queries', upstreamInfo),
    ...problem('database', 'The service’s database is failing', database),
    ...problem('ledger', 'The service cannot charge credits', ledger),
    ...broken.map(({ coin, state, reason, since }) => ({
      id: `book ${coin}`,
      text: `The service’s ${coin} book is ${BOOK_STATE_TEXTS[state].word.toLowerCase()}`,
      detail: `${reason === null ? '' : `${reason}, `}for ${secondsText(now - since)}`,
      href: bookHref(coin),
    })),
    ...warnings.map((warning) => ({ id: warning, text: 'Service warning', detail: warning })),
  ];
}

function slowAlarm(ageMs: number | null): Alarm {
  const last = ageMs === null ? 'No response yet' : `Last response ${secondsText(ageMs)} ago`;
  return { id: 'slow', text: 'The service responds slowly', detail: `${last}: the data shown comes late.` };
}

function problem(id: string, text: string, check: Readiness['database']): readonly Alarm[] {
  return check.status === 'ok' ? [] : [{ id, text, detail: check.problem ?? 'No reason given.' }];
}

function bookAlarms({ book, now }: AlarmFacts): readonly Alarm[] {
  if (book === undefined) return [];
  const { status, integrity } = book;
  const { coin, lastGap, gaps, verification } = status;
  const href = bookHref(coin);
  const isSettling = ['waiting', 'building'].includes(integrity.state) && now - status.state.since < SYNC_MS;
  const alarms: Alarm[] = [];
  if (integrity.state !== 'live' && integrity.state !== 'recorded' && !isSettling) {
    alarms.push({ id: 'unproven', text: `${coin} book ${integrity.headline}`, detail: integrity.reason, href });
  }
  if (verification?.kind === 'different') {
    const text = `${coin} book differed from its snapshot`;
    alarms.push({ id: 'different', text, detail: `${verification.detail}: rebuilt`, href });
  }
  if (lastGap !== undefined && now - lastGap.at < GAP_MS) {
    const text = `${coin} book: ${counted(gaps, 'gap')}, the last ${secondsText(now - lastGap.at)} ago`;
    alarms.push({ id: 'gap', text, detail: lastGap.detail, href });
  }
  return alarms;
}

function creditAlarms({ session, month, creditAlertPercent: percent }: AlarmFacts): readonly Alarm[] {
  const href = '/usage';
  if (session.creditsExhausted !== undefined) {
    const detail = 'Calls and books are refused until credits reset; what is loaded, recordings and Usage still work.';
    return [{ id: 'exhausted', text: 'No credits are left', detail, href }];
  }
  if (month === undefined) return [];
  const { aggregate, forecast, days } = month;
  const rate = burnRate(month.month.credits, aggregate.max_credits, month.month.elapsed);
  const reach = forecast.kind === 'forecast' ? reachOf(aggregate.max_credits, days, forecast) : undefined;
  if (reach?.kind === 'reached') {
    const text = `The plan’s ceiling was reached on ${reach.day}`;
    return [{ id: 'ceiling', text, detail: 'Flex credits are now in use.', href }];
  }
  const alarms: Alarm[] = [];
  if (isAlertReached(month.month.credits, aggregate.max_credits, percent)) {
    const text = `${shareText(month.month.credits, aggregate.max_credits) ?? '?'} of the plan is used`;
    alarms.push({ id: 'share', text, detail: `Your alert is at ${percent} %.`, href });
  }
  if (reach?.kind === 'expected' && reach.likely !== undefined) {
    const detail = `Burn rate ${rate ?? '?'} ×: at this rate the ceiling is reached between ${reach.earliest} and ${reach.latest ?? 'the end of the month'}.`;
    alarms.push({ id: 'pace', text: `The plan may run out on ${reach.likely}`, detail, href });
  }
  return alarms;
}

function walletAlarms({ wallets, liquidation, orderCalls }: AlarmFacts): readonly Alarm[] {
  const alarms: Alarm[] = [];
  if (liquidation.near > 0) {
    const text = `${counted(liquidation.near, 'position')} within 10 % of liquidation`;
    const href = pageHref('/balances', { w: wallets.w, view: 'positions' });
    alarms.push({ id: 'liquidation', text, detail: 'The mark is that near to the reported liquidation price.', href });
  }
  if (wallets.failed > 0) {
    const text = `${wallets.failed} of ${counted(wallets.all, 'wallet')} failed`;
    const detail =
      wallets.failed === wallets.all ? 'No balance was refreshed.' : 'Their balances are missing from the sums.';
    alarms.push({ id: 'wallets', text, detail, href: pageHref('/balances', { w: wallets.w, failed: '1' }) });
  }
  if (orderCalls.failed > 0) {
    const text = `Open orders of ${orderCalls.failed} of ${counted(orderCalls.all, 'wallet')} failed to load`;
    alarms.push({
      id: 'orders',
      text,
      detail: 'They are missing from the counts, or are older.',
      href: pageHref('/orders', { w: wallets.w }),
    });
  }
  return alarms;
}

function sessionAlarms({ session, now }: AlarmFacts): readonly Alarm[] {
  const left = session.expiresAt - now;
  if (left > DAY_MS) return [];
  return [
    { id: 'session', text: `This session ends in ${secondsText(left)}`, detail: 'Sign in again; your view is kept.' },
  ];
}

function pageHref(page: string, search: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(search).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return given.length === 0 ? page : `${page}?${new URLSearchParams(given)}`;
}

function bookHref(coin: string): string {
  return `/book/${encodeURIComponent(coin)}`;
}
