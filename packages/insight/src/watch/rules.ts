import { type Address, type DecimalString, isAddress, isDecimalString, type Side } from '@l4desk/protocol';
import { checkAmount } from '../amounts.ts';

/** What a user wants to be notified of. Sizes are in units of the coin, distances in basis points of the mid. */
export type WatchRule =
  /**
   * In one block the wallet's resting size on a side grows (`placed`) or falls (`pulled`: canceled or executed) by at least this.
   */
  | {
      readonly kind: 'wallet';
      readonly user: Address;
      readonly event: 'placed' | 'pulled';
      readonly minSz: DecimalString;
    }
  /** An order of the wallet has this place in its queue or a better one; 1 is the front. */
  | { readonly kind: 'place'; readonly user: Address; readonly place: number }
  /** One wallet rests at least `minSz` at one price within the distance. */
  | { readonly kind: 'wall'; readonly withinBps: DecimalString; readonly minSz: DecimalString }
  /** The mid is at this price or above it, or at this price or below it. */
  | { readonly kind: 'price'; readonly reaches: 'above' | 'below'; readonly px: DecimalString }
  /** The spread is wider than this. */
  | { readonly kind: 'spread'; readonly aboveBps: DecimalString }
  /** The sizes within the distance lean by more than this to either side: |bids − asks| ÷ (bids + asks), from 0 to 1. */
  | { readonly kind: 'imbalance'; readonly withinBps: DecimalString; readonly above: DecimalString }
  /** The feed is suspect. */
  | { readonly kind: 'suspect' }
  /** A new epoch began. */
  | { readonly kind: 'epoch' };

/** Why a rule fired: values of one moment, as received. */
export type WatchFacts =
  | {
      readonly kind: 'wallet';
      readonly user: Address;
      readonly side: Side;
      readonly event: 'placed' | 'pulled';
      readonly sz: DecimalString;
    }
  | {
      readonly kind: 'place';
      readonly user: Address;
      readonly oid: number;
      readonly side: Side;
      readonly px: DecimalString;
      readonly place: number;
      readonly of: number;
    }
  | {
      readonly kind: 'wall';
      readonly user: Address;
      readonly side: Side;
      readonly px: DecimalString;
      readonly sz: DecimalString;
    }
  | { readonly kind: 'price'; readonly mid: DecimalString }
  | { readonly kind: 'spread'; readonly bps: DecimalString }
  | { readonly kind: 'imbalance'; readonly lean: DecimalString }
  | { readonly kind: 'suspect'; readonly reason: string }
  | { readonly kind: 'epoch'; readonly epoch: string };

/** A rule that fired. */
export interface WatchHit {
  /** Index of the rule. */
  readonly rule: number;
  readonly coin: string;
  readonly height: number;
  /** Time of the block, ms since the Unix epoch. */
  readonly time: number;
  readonly facts: WatchFacts;
}

/** Throws RangeError for a rule whose numbers are meaningless. */
export function checkRule(rule: WatchRule): void {
  if ('user' in rule) checkAddress(rule.user);
  switch (rule.kind) {
    case 'wallet':
      return checkAbove('minSz', rule.minSz);
    case 'place':
      if (!Number.isSafeInteger(rule.place) || rule.place < 1)
        throw new RangeError(`place must be a whole number from 1: ${rule.place}`);
      return;
    case 'wall':
      checkAmount('withinBps', rule.withinBps);
      return checkAbove('minSz', rule.minSz);
    case 'price':
      return checkAbove('px', rule.px);
    case 'spread':
      return checkAmount('aboveBps', rule.aboveBps);
    case 'imbalance':
      checkAmount('withinBps', rule.withinBps);
      checkAmount('above', rule.above);
      return;
    case 'suspect':
    case 'epoch':
  }
}

function checkAddress(text: string): void {
  if (!isAddress(text)) throw new RangeError(`user must be an address: ${text}`);
}

function checkAbove(name: string, text: string): void {
  if (!isDecimalString(text) || text.startsWith('-') || !/[1-9]/.test(text)) {
    throw new RangeError(`${name} must be a decimal above zero: ${text}`);
  }
}
