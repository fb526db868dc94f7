import { useActions } from '../../hooks/actions.ts';
import { counted } from '../format.ts';

interface Refresh {
  /** What is refreshed, in the user's words: `balances`, `the overview`. */
  readonly what: string;
  readonly credits: number;
  /** Nothing can be refreshed, or a refresh is in flight. */
  readonly isBusy: boolean;
  readonly run: () => void;
}

/** Registers the refresh of a page, with its key R and its price. */
export function useRefresh(page: string, { what, credits, isBusy, run }: Refresh): void {
  useActions(page, [
    {
      id: `refresh ${page}`,
      label: `Refresh ${what}`,
      keys: 'r',
      price: credits,
      hint: credits === 0 ? 'free' : counted(credits, 'credit'),
      isEnabled: !isBusy,
      run,
    },
  ]);
}
