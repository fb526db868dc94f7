import type { WatchFacts, WatchRule } from '@l4desk/insight';
import { expect, it } from 'vitest';
import { factsText, ruleText } from './watch-texts.ts';

const USER = '0x5eaa00000000000000000000000000000000c7c4';
const walletText = () => 'Maker 7';

it.each<[WatchRule, string]>([
  [{ kind: 'wallet', user: USER, event: 'placed', minSz: '1200' }, 'Maker 7 placed ≥ 1,200'],
  [{ kind: 'place', user: USER, place: 3 }, 'Maker 7 at place ≤ 3'],
  [{ kind: 'wall', withinBps: '10', minSz: '20' }, 'one wallet rests ≥ 20 at a price within 10 bps'],
  [{ kind: 'price', reaches: 'below', px: '81308' }, 'mid at 81,308 or below'],
  [{ kind: 'spread', aboveBps: '2.5' }, 'spread > 2.5 bps'],
  [{ kind: 'imbalance', withinBps: '10', above: '0.8' }, 'imbalance beyond ±0.8 within 10 bps'],
  [{ kind: 'suspect' }, 'feed suspect'],
  [{ kind: 'epoch' }, 'new epoch'],
])('writes a rule in one line: %o', (rule, text) => expect(ruleText(rule, walletText)).toBe(text));

it.each<[WatchFacts, string]>([
  [
    { kind: 'wallet', user: USER, side: 'B', event: 'pulled', sz: '12.5' },
    'Maker 7 pulled or executed 12.5 on the bid side',
  ],
  [{ kind: 'place', user: USER, oid: 7, side: 'A', px: '81308', place: 2, of: 58 }, 'Maker 7 is 2 of 58 at ask 81,308'],
  [{ kind: 'wall', user: USER, side: 'A', px: '81308', sz: '20' }, 'Maker 7 rests 20 at ask 81,308'],
  [{ kind: 'price', mid: '81308.5' }, 'mid 81,308.5'],
  [{ kind: 'spread', bps: '3.100000' }, 'spread 3.10 bps'],
  [{ kind: 'imbalance', lean: '-0.912000' }, 'imbalance −0.91'],
  [{ kind: 'imbalance', lean: '-0.004000' }, 'imbalance 0.00'],
  [{ kind: 'suspect', reason: 'no block' }, 'feed suspect: no block'],
  [{ kind: 'epoch', epoch: '3f2a0000-0000' }, 'new epoch 3f2a0000'],
])('writes a hit in one line: %o', (facts, text) => expect(factsText(facts, walletText)).toBe(text));
