import { create } from 'zustand';
import { onAccountChange } from './account.ts';

/**
 * Whether the account keeps what this browser has. `reading`: not known yet; `writing`: a change is on its way; `waiting`: the
 * service did not respond, the change is written later; `refused`: the service does not accept it.
 */
export type AccountCopyState = 'reading' | 'kept' | 'writing' | 'waiting' | 'refused';

interface AccountCopyStore {
  readonly state: AccountCopyState;
}

export const useAccountCopy = create<AccountCopyStore>()(() => ({ state: 'reading' }));

onAccountChange({ leave: () => useAccountCopy.setState({ state: 'reading' }) });
