import { secondsText } from './format.ts';

/**
 * An age in whole seconds that ticks. Units follow their numbers closely. In a line of controls, space is reserved before the
 * first number.
 */
export function AgeText({ ms }: { readonly ms: number }) {
  return secondsText(ms)
    .split(/(?<=[a-z]) /)
    .map((part, at) => {
      const [number, unit] = part.split(' ');
      return (
        <span key={unit}>
          {at > 0 && ' '}
          <span className={at === 0 ? 'num inline-block text-right in-data-steady:min-w-[2ch]' : 'num'}>{number}</span>{' '}
          {unit}
        </span>
      );
    });
}
