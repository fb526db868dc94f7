import type { WatchFacts, WatchRule } from '@l4desk/insight';
import type { DecimalString } from '@l4desk/protocol';
import { grouped, signedText, wholeText } from '../ui/format.ts';

export type { WatchFacts, WatchHit } from '@l4desk/insight';

type WalletText = (address: string) => string;

const SIDE_TEXTS = { B: 'bid', A: 'ask' } as const;

const TWO_DECIMALS = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
  // No sign before a value that is rounded to zero.
  signDisplay: 'negative',
});

/** Rounds to two decimals, exactly. Not with the decimal package, which would make the first load of every page larger. */
const rounded = (value: DecimalString) => TWO_DECIMALS.format(value) as DecimalString;

/** A rule in one line: `0x5eaa…c7c4 placed ≥ 2`. */
export function ruleText(rule: WatchRule, walletText: WalletText): string {
  switch (rule.kind) {
    case 'wallet':
      return `${walletText(rule.user)} ${rule.event} ≥ ${grouped(rule.minSz)}`;
    case 'place':
      return `${walletText(rule.user)} at place ≤ ${wholeText(rule.place)}`;
    case 'wall':
      return `one wallet rests ≥ ${grouped(rule.minSz)} at a price within ${grouped(rule.withinBps)} bps`;
    case 'price':
      return `mid at ${grouped(rule.px)} or ${rule.reaches}`;
    case 'spread':
      return `spread > ${grouped(rule.aboveBps)} bps`;
    case 'imbalance':
      return `imbalance beyond ±${grouped(rule.above)} within ${grouped(rule.withinBps)} bps`;
    case 'suspect':
      return 'feed suspect';
    case 'epoch':
      return 'new epoch';
  }
}

/** What fired, in one line. A wallet's size also falls when its orders are executed: the text of `pulled` covers both. */
export function factsText(facts: WatchFacts, walletText: WalletText): string {
  switch (facts.kind) {
    case 'wallet': {
      const what = facts.event === 'placed' ? 'placed' : 'pulled or executed';
      return `${walletText(facts.user)} ${what} ${grouped(facts.sz)} on the ${SIDE_TEXTS[facts.side]} side`;
    }
    case 'place':
      return `${walletText(facts.user)} is ${wholeText(facts.place)} of ${wholeText(facts.of)} at ${SIDE_TEXTS[facts.side]} ${grouped(facts.px)}`;
    case 'wall':
      return `${walletText(facts.user)} rests ${grouped(facts.sz)} at ${SIDE_TEXTS[facts.side]} ${grouped(facts.px)}`;
    case 'price':
      return `mid ${grouped(facts.mid)}`;
    case 'spread':
      return `spread ${grouped(rounded(facts.bps))} bps`;
    case 'imbalance':
      return `imbalance ${signedText(rounded(facts.lean), 2)}`;
    case 'suspect':
      return `feed suspect: ${facts.reason}`;
    case 'epoch':
      return `new epoch ${facts.epoch.slice(0, 8)}`;
  }
}
