import { useUnaskedCredits } from '../../api/price-rule.ts';
import { wholeText } from '../format.ts';

/** In the status line of a page that asks by itself: up to which price. */
export function PriceRule() {
  const credits = useUnaskedCredits();
  return (
    <span className="max-sm:hidden" title="What costs more waits for a press. Set it under Appearance.">
      {credits === 0 ? (
        'asks nothing by itself'
      ) : (
        <>
          asks by itself up to <span className="num">{wholeText(credits)}</span> cr
        </>
      )}
    </span>
  );
}
