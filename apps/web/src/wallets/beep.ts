/** Two short, soft tones. */
const TONES = [880, 1_175];
const TONE_S = 0.09;
const VOLUME = 0.06;

/** Plays a short sound; stays silent if the browser allows none before the first click. */
export function beep(): void {
  const audio = new AudioContext();
  const volume = audio.createGain();
  volume.gain.value = VOLUME;
  volume.connect(audio.destination);
  const tones = TONES.map((frequency, index) => {
    const tone = audio.createOscillator();
    tone.frequency.value = frequency;
    tone.connect(volume);
    tone.start(audio.currentTime + index * TONE_S);
    tone.stop(audio.currentTime + (index + 1) * TONE_S);
    return tone;
  });
  tones.at(-1)?.addEventListener('ended', () => void audio.close());
}
