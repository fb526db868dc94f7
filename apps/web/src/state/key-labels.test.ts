// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from 'vitest';
import { changeAccount } from './account.ts';
import { KEY_LABELS_KEY, readKeyLabels, useKeyLabels } from './key-labels.ts';

beforeEach(() => {
  localStorage.clear();
  changeAccount('acc_1');
});

afterEach(() => changeAccount(undefined));

const labels = () => useKeyLabels.getState().labels;

it('[AUTH-12] stores names only for masked keys, never for a whole key', () => {
  const { setLabel } = useKeyLabels.getState();
  setLabel('l4k_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG', 'a whole key');
  setLabel('l4k_…x1Y2', ' bots ');
  expect(labels()).toEqual({ 'l4k_…x1Y2': 'bots' });
  expect(localStorage.getItem(`${KEY_LABELS_KEY}.acc_1`)).toContain('bots');
  setLabel('l4k_…x1Y2', '');
  expect(labels()).toEqual({});
  expect(readKeyLabels({ 'l4k_…x1Y2': 7, 'l4s_…-_9Z': 'ops' })).toEqual({ 'l4s_…-_9Z': 'ops' });
});
