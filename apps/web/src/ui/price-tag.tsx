import { counted } from './format.ts';

interface PriceTagProps {
  readonly credits: number;
  /** Shows `2 cr`, for rows with several prices; screen readers still read it in full. */
  readonly short?: boolean;
}

/** The price of an action, on the control that triggers it: `<Button price={75}>Refresh</Button>`. */
export function PriceTag({ credits, short = false }: PriceTagProps) {
  return (
    <span className="rounded-4 border border-current px-1 text-11 leading-[1.2728] font-normal">
      {credits === 0 ? (
        'free'
      ) : (
        <>
          <span className={short ? 'sr-only' : 'num'}>{counted(credits, 'credit')}</span>
          {short && (
            <span aria-hidden className="num">
              {credits} cr
            </span>
          )}
        </>
      )}
    </span>
  );
}
