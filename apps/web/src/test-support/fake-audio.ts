import { vi } from 'vitest';

/**
 * The browser's audio, which notes the sounds that are played. They are noted for all instances together, because the page opens
 * one and keeps it, also for the tests of other files.
 */
export class FakeAudio {
  static readonly sounds: string[] = [];

  readonly destination = {};
  readonly currentTime = 0;

  /** Until globals are no longer stubbed. */
  static install(): void {
    FakeAudio.sounds.length = 0;
    vi.stubGlobal('AudioContext', FakeAudio);
  }

  async resume() {}

  createGain() {
    return { gain: { value: 0 }, connect: () => {} };
  }

  /** Of a sound's tones, the first one is noted. */
  createOscillator() {
    const start = (at: number) => void (at === 0 && FakeAudio.sounds.push('beep'));
    return { frequency: { value: 0 }, connect: () => {}, start, stop: () => {}, addEventListener: () => {} };
  }
}
