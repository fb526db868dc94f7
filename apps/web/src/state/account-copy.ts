import { create } from 'zustand';
import { onAccountChange } from './account.ts';

/**
 * Whether the account keeps what this browser has. `reading`: not known yet; `writing`: a change is on its way; `waiting`: the
 * service did not take the change, it is written later; `signed-out`: the same, because the session may be over; `refused`: it is too
 * large.
 */
export type AccountCopyState = 'reading' | 'kept' | 'writing' | 'waiting' | 'signed-out' | 'refused';

interface AccountCopyStore {
  readonly state: AccountCopyState;
  /** Whether this page has what the account keeps. */
  readonly isRead: boolean;
}

export const useAccountCopy = create<AccountCopyStore>()(() => ({ state: 'reading', isRead: false }));

onAccountChange({ leave: () => useAccountCopy.setState(useAccountCopy.getInitialState(), true) });
