import { describe, expect, it } from 'vitest';
import { allowedOrigins } from './origins.ts';

describe('the origins that a browser may use', () => {
  it.each<[string, string | undefined, string, readonly string[]]>([
    ['127.0.0.1', undefined, 'http://127.0.0.1:4400', ['http://localhost:4400']],
    ['localhost', undefined, 'http://localhost:4400', ['http://127.0.0.1:4400']],
    ['::1', undefined, 'http://[::1]:4400', ['http://localhost:4400', 'http://127.0.0.1:4400']],
    ['10.0.0.7', undefined, 'http://10.0.0.7:4400', []],
    ['0.0.0.0', 'https://desk.example.com', 'https://desk.example.com', []],
    [
      '127.0.0.1',
      'https://desk.example.com',
      'https://desk.example.com',
      ['http://localhost:4400', 'http://127.0.0.1:4400'],
    ],
  ])('[AUTH-19, AUTH-20] are known for HOST=%s PUBLIC_URL=%s', (host, publicUrl, primary, others) => {
    const allowed = allowedOrigins(host, 4400, publicUrl);
    expect(allowed.primary).toBe(primary);
    const candidates = [
      'http://127.0.0.1:4400',
      'http://localhost:4400',
      'http://[::1]:4400',
      'http://10.0.0.7:4400',
      'http://0.0.0.0:4400',
      'https://desk.example.com',
      'http://desk.example.com',
      'https://localhost:4400',
      'http://localhost:4401',
      'http://localhost',
      'null',
      '',
    ];
    expect(candidates.filter((origin) => allowed.hasOrigin(origin)).sort()).toEqual([primary, ...others].sort());
    const hosts = candidates.filter((origin) => URL.canParse(origin)).map((origin) => new URL(origin).host);
    const expected = [primary, ...others].map((origin) => new URL(origin).host);
    expect([...new Set(hosts.filter((name) => allowed.hasHost(name)))].sort()).toEqual(expected.sort());
  });

  it.each(['0.0.0.0', '::'])('[AUTH-19, AUTH-20] do not exist for HOST=%s without PUBLIC_URL', (host) => {
    const allowed = allowedOrigins(host, 4400, undefined);
    expect(allowed).toMatchObject({ primary: 'http://localhost:4400', isNameless: true });
    for (const name of ['localhost:4400', '127.0.0.1:4400', '[::1]:4400', '0.0.0.0:4400', 'desk.example.com:4400']) {
      expect(allowed.hasHost(name)).toBe(false);
      expect(allowed.hasOrigin(`http://${name}`)).toBe(false);
    }
  });

  it('[AUTH-20] match hosts in any letter case and with the default port', () => {
    const allowed = allowedOrigins('0.0.0.0', 4400, 'https://desk.example.com');
    expect(allowed.hasHost('Desk.Example.COM')).toBe(true);
    expect(allowed.hasHost('desk.example.com:443')).toBe(true);
    expect(allowed.hasHost('desk.example.com:80')).toBe(false);
    expect(allowed.hasHost('desk.example.com.')).toBe(false);
  });

  it('[AUTH-19] omit the default port, as browsers do', () => {
    expect(allowedOrigins('127.0.0.1', 80, undefined).hasOrigin('http://localhost')).toBe(true);
  });
});
