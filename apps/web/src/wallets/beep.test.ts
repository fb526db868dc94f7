// @vitest-environment happy-dom

import { expect, it } from 'vitest';
import { FakeAudio } from '../test-support/fake-audio.ts';
import { beep } from './use-watch-alerts.ts';

it('a sound is played only once the page has been pressed: a browser would hold it back until then', () => {
  FakeAudio.install();
  FakeAudio.press(false);
  beep();
  expect(FakeAudio.sounds).toEqual([]);
  FakeAudio.press();
  beep();
  beep();
  expect(FakeAudio.sounds).toEqual(['beep', 'beep']);
});
