/**
 * A single path of bars with their bottom at `height`, as high as the square root of their counts; bars are at least `least` px
 * high.
 */
export function barsPath(counts: readonly number[], width: number, height: number, least = 0): string {
  const most = Math.max(1, ...counts);
  const step = width / counts.length;
  return counts
    .map((count, at) => {
      const high = Math.max(least, Math.sqrt(count / most) * height).toFixed(1);
      return count === 0 ? '' : `M${(at * step).toFixed(2)} ${height}v-${high}h${(step * 0.8).toFixed(2)}V${height}z`;
    })
    .join('');
}
