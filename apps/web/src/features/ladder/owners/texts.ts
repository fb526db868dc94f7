import { roundTo } from '@l4desk/decimal';
import type { DecimalString } from '@l4desk/protocol';
import { percentText } from '../../../ui/format.ts';

/** A share as a percentage with one decimal, rounded half up: `26.5 %`. */
export function shareText(share: DecimalString): string {
  return percentText(roundTo(share, 3));
}

/** An imbalance from −1 to 1 with two decimals and its sign: `+0.31`, `−1.00`, `0.00`. */
export function leanText(lean: DecimalString | null): string {
  if (lean === null) return '—';
  const text = roundTo(lean, 2).replace('-', '');
  if (!/[1-9]/.test(text)) return text;
  return `${lean.startsWith('-') ? '−' : '+'}${text}`;
}
