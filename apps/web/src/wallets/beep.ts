/** Two short, soft tones. */
const TONES = [880, 1_175];
const TONE_S = 0.09;
const VOLUME = 0.06;

/** A sound that the browser holds back for longer than this would announce something old. */
const LATE_MS = 1_000;

/** Returns a function that plays a short sound. All of its sounds share one audio context, which rests while there is none. */
export function makeBeep(openAudio: () => AudioContext): () => Promise<void> {
  let audio: AudioContext | undefined;
  /** Sounds that wait or play. */
  let sounds = 0;
  const end = (opened: AudioContext) => {
    sounds -= 1;
    if (sounds === 0) void opened.suspend();
  };
  return async () => {
    const opened = (audio ??= openAllowed(openAudio, () => sounds > 0));
    sounds += 1;
    const calledAt = performance.now();
    await opened.resume();
    if (performance.now() - calledAt > LATE_MS) {
      end(opened);
      return;
    }
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
    tones.at(-1)?.addEventListener('ended', () => end(opened));
  };
}

/** Some browsers allow a sound only from the moment in which somebody presses something: then those that wait begin. */
function openAllowed(openAudio: () => AudioContext, isAwaited: () => boolean): AudioContext {
  const opened = openAudio();
  const pressed = new AbortController();
  const onPress = () => {
    pressed.abort();
    if (isAwaited()) void opened.resume();
  };
  for (const kind of ['click', 'keydown']) addEventListener(kind, onPress, { signal: pressed.signal });
  return opened;
}

/** Plays a short sound; stays silent if the browser allows none before the first press. */
export const beep = makeBeep(() => new AudioContext());
