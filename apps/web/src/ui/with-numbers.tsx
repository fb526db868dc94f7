import { classNames } from './class-names.ts';

/** A number, date or share of a text; not the digits of a name, such as those of `@107` or `l4Book`. */
const NUMBER = /(?<![\w@])(\d(?:[\d.,:-]*\d)?(?: %)?)(?!\.?\w)/;

interface WithNumbersProps {
  readonly text: string;
  readonly look?: string;
  /** What counts as a number: one group, the number itself. */
  readonly pattern?: RegExp;
}

/** A text whose numbers are in the number face; its lines stay as high as those of words alone. */
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
