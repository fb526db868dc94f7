import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSettings, SETTINGS, SettingsError } from './settings.ts';

describe('settings', () => {
  it.each([
    ['VENUE_PORT', '70000'],
    ['VENUE_PACE', 'fast'],
    ['VENUE_RATE', '1e9'],
    ['VENUE_SIZE', '0'],
    ['VENUE_COINS', 'BTC,NOPE'],
    ['VENUE_EXTRA_COINS', '501'],
    ['VENUE_START_TIME', 'noon'],
    ['VENUE_DIFF_SIDE', 'yes'],
    ['VENUE_MAX_UNSENT_BYTES', '10'],
    ['VENUE_INFO_WEIGHT_PER_MINUTE', '0.5'],
  ])('with %s=%s are refused with the name, the value and an example', (name, value) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(`${name}: `);
    expect(read).toThrow(
      `(is ${JSON.stringify(value)}, for example ${SETTINGS[name as keyof typeof SETTINGS].example})`,
    );
  });

  it('with any text are either used or refused by name', () => {
    const problemOf = (name: string, value: string) => {
      try {
        readSettings({ [name]: value });
        return name;
      } catch (error) {
        return error instanceof SettingsError ? error.message : 'another error';
      }
    };
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(SETTINGS)), fc.string(), (name, value) => {
        expect(problemOf(name, value)).toContain(name);
      }),
    );
  });
});
