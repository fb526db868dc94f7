import { secondsText } from './format.ts';

/** An age in whole seconds that ticks in place: its number keeps room at its left, its unit stands close behind. */
export function AgeText({ ms }: { readonly ms: number }) {
  return secondsText(ms)
    .split(/(?<=[a-z]) /)
    .map((part, at) => {
      const [number, unit] = part.split(' ');
      return (
        <span key={unit}>
          {at > 0 && ' '}
          <span className={at === 0 ? 'num inline-block min-w-[2ch] text-right' : 'num'}>{number}</span> {unit}
        </span>
      );
    });
}
