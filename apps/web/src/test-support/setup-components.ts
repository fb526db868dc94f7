// Runs before every file of component tests: the files share a process, and a test leaves nothing behind.
import { afterEach } from 'vitest';
import { changeAccount } from '../state/account.ts';
import { unmountAll } from './render.ts';

afterEach(async () => {
  await unmountAll();
  changeAccount(undefined);
  localStorage.clear();
  sessionStorage.clear();
});
