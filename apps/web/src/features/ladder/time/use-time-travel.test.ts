import { expect, it } from 'vitest';
import { type TimeTravel, timeCommands } from './use-time-travel.ts';

const nothing = () => {};

const TRAVEL: TimeTravel = {
  frozen: false,
  isPlaying: false,
  a: undefined,
  b: undefined,
  mayLoop: false,
  isLooping: false,
  onStep: nothing,
  onPlay: nothing,
  onHold: nothing,
  onLive: nothing,
  onMark: nothing,
  onLoop: nothing,
  onChanges: nothing,
};

const texts = (travel: Partial<TimeTravel>) => timeCommands({ ...TRAVEL, ...travel }).map(({ text }) => text);

it('time travel is in the palette, each command while it can run', () => {
  expect(texts({ frozen: undefined })).toEqual([]);
  expect(texts({})).toEqual([
    'Go a block back',
    'Mark the shown block as A',
    'Mark the shown block as B',
    'Go ten blocks back',
  ]);
  expect(texts({ frozen: true, a: 5 })).toEqual([
    'Go a block back',
    'Go a block forward',
    'Play from here',
    'Return to live',
    'Take mark A away',
    'Mark the shown block as B',
    'What changed between A and the shown block',
    'Go ten blocks back',
    'Go ten blocks forward',
  ]);
  const both = texts({ frozen: true, isPlaying: true, a: 5, b: 7, mayLoop: true });
  expect(both).toContain('Stop playing');
  expect(both).toContain('Play from A to B, over and over');
  expect(both).toContain('What changed between A and B');
  expect(texts({ a: 5, b: 7, mayLoop: true, isLooping: true })).toContain('End the loop from A to B');
  expect(texts({ b: 7 })).toContain('What changed between B and the shown block');
});
