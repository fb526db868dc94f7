import { counted, wholeText } from '../../ui/format.ts';
import type { OrdersView } from './search.ts';

interface Answers {
  readonly view: OrdersView;
  readonly wallets: number;
  readonly calls: number;
  /** How many of the calls have an answer; without an order all of them. */
  readonly answered: number;
}

/** What answers without any order say, and what they leave open. */
export function noOrdersText({ view, wallets, calls, answered }: Answers): string {
  const whose = wallets === 1 ? 'This wallet has' : 'These wallets have';
  const sofar = `${wholeText(answered)} of ${counted(calls, 'call')} answered`;
  if (view !== 'open') {
    return answered < calls
      ? `None of the answers so far has an order: ${sofar}.`
      : `${whose} never sent an order that the exchange still reports.`;
  }
  const found =
    answered < calls ? `None of the answers so far has an open order: ${sofar}.` : `${whose} no open order.`;
  return `${found} Past orders are in the history.`;
}
