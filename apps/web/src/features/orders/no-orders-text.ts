import { counted, wholeText } from '../../ui/format.ts';
import type { OrdersView } from './search.ts';

interface Answers {
  readonly view: OrdersView;
  /** Waiting triggers were asked for, too. */
  readonly triggers: boolean;
  readonly wallets: number;
  readonly calls: number;
  /** How many of the calls have an answer; without an order all of them. */
  readonly answered: number;
}

/** What answers without any order say, and what they leave open. */
export function noOrdersText({ view, triggers, wallets, calls, answered }: Answers): string {
  const whose = wallets === 1 ? 'This wallet has' : 'These wallets have';
  const sofar = `${wholeText(answered)} of ${counted(calls, 'call')} answered`;
  if (view !== 'open') {
    return answered < calls
      ? `None of the answers so far has an order: ${sofar}.`
      : `${whose} never sent an order that the exchange still reports.`;
  }
  const found =
    answered < calls ? `None of the answers so far has a resting order: ${sofar}.` : `${whose} no resting order.`;
  const tail = triggers
    ? 'Past orders are in the history.'
    : 'Waiting triggers are not asked for; past orders are in the history.';
  return `${found} ${tail}`;
}
