import { expect, it } from 'vitest';
import { isEnabled } from '../../../hooks/actions.ts';
import { type TimeTravel, timeActions } from './use-time-travel.ts';

const nothing = () => {};

const TRAVEL: TimeTravel = {
  frozen: false,
  isPlaying: false,
  since: undefined,
  onStep: nothing,
  onPlay: nothing,
  onHold: nothing,
  onLive: nothing,
  onCompare: nothing,
};

const texts = (travel: Partial<TimeTravel>) =>
  timeActions({ ...TRAVEL, ...travel })
    .filter(isEnabled)
    .map(({ label }) => label);

it('time travel is in the palette, each command while it can run', () => {
  expect(texts({ frozen: undefined })).toEqual([]);
  expect(texts({})).toEqual(['Go a block back', 'Compare this block with others', 'Go ten blocks back']);
  expect(texts({ frozen: true, since: 5_000 })).toEqual([
    'Go a block back',
    'Go a block forward',
    'Play from here',
    'Return to live',
    'Stop comparing with block 5,000',
    'Go ten blocks back',
    'Go ten blocks forward',
  ]);
  expect(texts({ frozen: true, isPlaying: true })).toContain('Stop playing');
});
