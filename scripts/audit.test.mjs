import { describe, expect, it } from 'vitest';
import { auditVerdict } from './audit.mjs';

const advisory = (severity) => ({
  severity,
  module_name: 'thing',
  title: 'It leaks.',
  url: 'https://advisory.example/1',
});
const report = (...severities) => {
  const advisories = Object.fromEntries(severities.map((severity, n) => [n, advisory(severity)]));
  return JSON.stringify({ advisories, metadata: {} }, null, 2);
};
const refusal = (status) =>
  `Error: ERR_PNPM_AUDIT_BAD_RESPONSE\n\n  × The audit endpoint (at https://registry.example/-/npm/v1/security/\n  │ advisories/bulk) responded with ${status}:\n`;

describe('the audit of dependencies', () => {
  it('passes without advisories or with minor ones', () => {
    expect(auditVerdict({ code: 0, text: `warn Unknown config\n${report()}\n` })).toMatchObject({
      checked: true,
      text: expect.stringContaining('0 of less weight'),
    });
    expect(auditVerdict({ code: 1, text: report('low', 'moderate') }).text).toContain('2 of less weight');
    expect(auditVerdict({ code: 0, text: '{"advisories":{}}' }).text).toContain('No high');
  });

  it.each(['high', 'critical'])('fails on one of severity %s and names it', (severity) => {
    expect(() => auditVerdict({ code: 1, text: report('low', severity) })).toThrow(`${severity}: thing: It leaks.`);
  });

  it.each([404, 405, 501])('checks nothing if the registry returns %i, and says so', (status) => {
    expect(auditVerdict({ code: 1, text: refusal(status) })).toMatchObject({
      checked: false,
      text: expect.stringMatching(/^Not checked: the registry offers no audit/),
    });
  });

  it.each([
    ['HTTP 503', { code: 1, text: refusal(503) }],
    ['no response in time', { code: 128, text: '' }],
    ['a refused connection', { code: 1, text: 'ERR connect ECONNREFUSED 10.0.0.1:443' }],
    ['no such name', { code: 1, text: 'getaddrinfo ENOTFOUND registry.example' }],
  ])('checks nothing if the registry cannot be queried, and says so: %s', (_, outcome) => {
    expect(auditVerdict(outcome)).toMatchObject({ checked: false, text: expect.stringMatching(/^Not checked: /) });
  });

  it('fails on output that it does not understand', () => {
    expect(() => auditVerdict({ code: 1, text: 'ERR_PNPM_AUDIT_NO_LOCKFILE No lockfile found' })).toThrow(
      'NO_LOCKFILE',
    );
    expect(() => auditVerdict({ code: 1, text: refusal(401) })).toThrow('401');
  });
});
