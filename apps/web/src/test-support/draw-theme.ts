import type { DrawTheme } from '../ui/draw/draw-theme.ts';

/** A theme in which each colour is named after its use. */
export const drawTheme: DrawTheme = {
  text: 'text',
  'text-strong': 'text-strong',
  'text-dim': 'text-dim',
  bid: 'bid',
  ask: 'ask',
  'bid-mark': 'bid-mark',
  'ask-mark': 'ask-mark',
  stale: 'stale',
  'wallet-grey': 'wallet-grey',
  'wallet-blue': 'wallet-blue',
  'wallet-orange': 'wallet-orange',
  'wallet-green': 'wallet-green',
  'wallet-magenta': 'wallet-magenta',
  'wallet-yellow': 'wallet-yellow',
  'surface-0': 'surface-0',
  'surface-2': 'surface-2',
  accent: 'accent',
  'accent-soft': 'accent-soft',
  line: 'line',
};
