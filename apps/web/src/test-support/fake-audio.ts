import { vi } from 'vitest';

/** The browser's audio, which notes the sounds that are played; `press` lets the page play them. */
export class FakeAudio {
  static readonly sounds: string[] = [];

  readonly destination = {};
  readonly currentTime = 0;

  /** Until globals are no longer stubbed. */
  static install(): void {
    FakeAudio.sounds.length = 0;
    vi.stubGlobal('AudioContext', FakeAudio);
    FakeAudio.press();
  }

  static press(hasBeenActive = true): void {
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive }, configurable: true });
  }

  createGain() {
    return { gain: { value: 0 }, connect: () => {} };
  }

  /** Of a sound's tones, the first one is noted. */
  createOscillator() {
    const start = (at: number) => void (at === 0 && FakeAudio.sounds.push('beep'));
    return { frequency: { value: 0 }, connect: () => {}, start, stop: () => {}, addEventListener: () => {} };
  }
}
