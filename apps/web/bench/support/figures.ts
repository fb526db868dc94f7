/** Number of frames of a 60 Hz display that were missed, given all intervals between the page's frames in ms. */
export function missed(frames: readonly number[]): number {
  return frames.reduce((sum, distance) => sum + Math.max(0, Math.round((distance * 60) / 1_000) - 1), 0);
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function ms(value: number): string {
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}
