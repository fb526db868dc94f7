// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { takeOneTimeToken } from './one-time-token.ts';

beforeEach(() => history.replaceState(null, '', '/'));

describe('the one-time sign-in link', () => {
  it('[AUTH-12, AUTH-21] removes the token from the address bar and the history before anything else happens', () => {
    history.replaceState(null, '', '/sign-in?next=%2Fbook#token=s3cret');
    const token = takeOneTimeToken(location, history);
    expect(location.href).not.toContain('s3cret');
    expect(location.pathname + location.search).toBe('/sign-in?next=%2Fbook');
    expect(token.waiting).toBe(true);
  });

  it('[AUTH-22] returns the token once', () => {
    history.replaceState(null, '', '/#token=s3cret');
    const token = takeOneTimeToken(location, history);
    expect(token.take()).toBe('s3cret');
    expect(token.take()).toBeUndefined();
    expect(token.waiting).toBe(false);
  });

  it('keeps any other fragment', () => {
    history.replaceState(null, '', '/#main');
    expect(takeOneTimeToken(location, history).waiting).toBe(false);
    expect(location.hash).toBe('#main');
  });
});
