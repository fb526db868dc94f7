import type { Centring } from '../../book-worker/axis.ts';

export const MODE_OPTIONS: readonly { readonly value: Centring; readonly text: string; readonly hint: string }[] = [
  { value: 'auto', text: 'Auto', hint: 'Recentres when the market moves off-centre, never under the pointer' },
  { value: 'static', text: 'Static', hint: 'Prices stay where they are until you recentre' },
  { value: 'mid', text: 'Mid', hint: 'The market stays in the middle, except under the pointer' },
];
