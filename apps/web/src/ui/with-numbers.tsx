import { classNames } from './class-names.ts';

/** A number, date or share in a text; not digits in a name, such as `@107` or `l4Book`. */
const NUMBER = /(?<![\w@])(\d(?:[\d.,:-]*\d)?(?: %)?)(?!\.?\w)/;

interface WithNumbersProps {
  readonly text: string;
  readonly look?: string;
  /** What counts as a number: a pattern with one group around the number. */
  readonly pattern?: RegExp;
}

/** Renders a text with its numbers in the number font, without making its lines higher. */
export function WithNumbers({ text, look, pattern = NUMBER }: WithNumbersProps) {
  return text.split(pattern).map((part, at) =>
    at % 2 === 1 ? (
      // oxlint-disable-next-line react/no-array-index-key -- the parts of one text
      <span key={at} className={classNames('num leading-none', look)}>
        {part}
      </span>
    ) : (
      part
    ),
  );
}

interface DigitsProps {
  /** Characters that it always has room for, so that what follows stays where it is. */
  readonly room: number;
  readonly children: string;
}

export function Digits({ room, children }: DigitsProps) {
  return (
    <span className="num inline-block" style={{ minWidth: `${room}ch` }}>
      {children}
    </span>
  );
}
