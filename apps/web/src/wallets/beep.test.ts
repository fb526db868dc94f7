// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { makeBeep } from './beep.ts';

let isAllowed = false;
/** Of a sound's tones, the times at which they began. */
let tones: number[] = [];
let opened = 0;

/** Runs only once the page may play sounds, as in a browser: each earlier attempt to resume it ends then. */
class FakeAudio {
  readonly destination = {};
  state = 'suspended';
  readonly #waiting: (() => void)[] = [];
  readonly #ends: (() => void)[] = [];

  get currentTime() {
    return performance.now() / 1_000;
  }

  async resume(): Promise<void> {
    if (!isAllowed) return new Promise((resolve) => this.#waiting.push(resolve));
    this.state = 'running';
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  async suspend(): Promise<void> {
    this.state = 'suspended';
  }

  createGain() {
    return { gain: { value: 0 }, connect: () => {} };
  }

  createOscillator() {
    return {
      frequency: { value: 0 },
      connect: () => {},
      start: () => void tones.push(performance.now()),
      stop: () => {},
      addEventListener: (_: string, end: () => void) => void this.#ends.push(end),
    };
  }

  /** The first of the sounds that play ends. */
  endFirst(): void {
    this.#ends.shift()?.();
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: 0, toFake: ['performance', 'Date'] });
  isAllowed = false;
  tones = [];
  opened = 0;
  return () => void vi.useRealTimers();
});

function make() {
  const audio = new FakeAudio();
  const beep = makeBeep(() => {
    opened += 1;
    return audio as never;
  });
  return { audio, beep };
}

const press = async () => {
  isAllowed = true;
  dispatchEvent(new Event('click'));
  await Promise.resolve();
};

it('sounds share one audio context; those that were held back until a press are too old to be played', async () => {
  const { beep } = make();
  const early = [beep(), beep(), beep()];
  vi.advanceTimersByTime(5_000);
  const now = beep();
  await press();
  await Promise.all([...early, now]);
  expect(tones).toEqual([5_000, 5_000]);
  vi.advanceTimersByTime(1_000);
  await beep();
  expect(tones.slice(2)).toEqual([6_000, 6_000]);
  expect(opened).toBe(1);
});

it('the audio context rests once the last sound has ended, also when somebody then presses something', async () => {
  const { audio, beep } = make();
  isAllowed = true;
  await Promise.all([beep(), beep()]);
  audio.endFirst();
  expect(audio.state).toBe('running');
  audio.endFirst();
  expect(audio.state).toBe('suspended');
  await press();
  expect(audio.state).toBe('suspended');
  await beep();
  expect(audio.state).toBe('running');
});

it('the audio context rests when the sounds that a press let begin were too old', async () => {
  const { audio, beep } = make();
  const early = beep();
  vi.advanceTimersByTime(5_000);
  await press();
  await early;
  expect([tones, audio.state]).toEqual([[], 'suspended']);
});
