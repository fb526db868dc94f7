/** Two short, soft tones. */
const TONES = [880, 1_175];
const TONE_S = 0.09;
const VOLUME = 0.06;

/** A sound that the browser holds back for longer than this would announce something old. */
const LATE_MS = 1_000;

/** Returns a function that plays a short sound. All of its sounds share one audio context, which rests between them. */
export function makeBeep(openAudio: () => AudioContext): () => Promise<void> {
  let audio: AudioContext | undefined;
  let last: OscillatorNode | undefined;
  return async () => {
    const opened = (audio ??= openAllowed(openAudio));
    const calledAt = performance.now();
    await opened.resume();
    if (performance.now() - calledAt > LATE_MS) return;
    const volume = opened.createGain();
    volume.gain.value = VOLUME;
    volume.connect(opened.destination);
    const { currentTime } = opened;
    const tones = TONES.map((frequency, index) => {
      const tone = opened.createOscillator();
      tone.frequency.value = frequency;
      tone.connect(volume);
      tone.start(currentTime + index * TONE_S);
      tone.stop(currentTime + (index + 1) * TONE_S);
      return tone;
    });
    const end = tones.at(-1);
    last = end;
    end?.addEventListener('ended', () => {
      if (end === last) void opened.suspend();
    });
  };
}

/** Some browsers allow a sound only from the moment in which somebody presses something. */
function openAllowed(openAudio: () => AudioContext): AudioContext {
  const opened = openAudio();
  for (const kind of ['click', 'keydown']) addEventListener(kind, () => void opened.resume(), { once: true });
  return opened;
}

/** Plays a short sound; stays silent if the browser allows none before the first press. */
export const beep = makeBeep(() => new AudioContext());
