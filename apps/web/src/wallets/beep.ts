/** Two short, soft tones. */
const TONES = [880, 1_175];
const TONE_S = 0.09;
const VOLUME = 0.06;

/** Plays a short sound. Before the first press on the page browsers allow none, and afterwards it would announce something old. */
export function beep(): void {
  if (!navigator.userActivation.hasBeenActive) return;
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.gain.value = VOLUME;
  volume.connect(audio.destination);
  for (const [at, frequency] of TONES.entries()) {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(audio.currentTime + at * TONE_S);
    tone.stop(audio.currentTime + (at + 1) * TONE_S);
    if (at === TONES.length - 1) tone.addEventListener('ended', () => void audio.close());
  }
}
