// Runs before every file of component tests. The files share a process, so each test cleans up after itself.
import { afterEach } from 'vitest';
import { changeAccount } from '../state/account.ts';
import { unmountAll } from './render.ts';

// happy-dom has no popovers; a tip may open while a test runs long.
Object.assign(HTMLElement.prototype, { showPopover: () => undefined, hidePopover: () => undefined });

afterEach(async () => {
  await unmountAll();
  changeAccount(undefined);
  localStorage.clear();
  sessionStorage.clear();
});
