import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeSettings, readSettings, SETTINGS, SettingsError } from './settings.ts';

describe('settings', () => {
  it('have a default each', () => {
    expect(readSettings({})).toMatchObject({
      host: '127.0.0.1',
      port: 4410,
      controlPort: 4411,
      capture: null,
      pace: 1,
      rate: 1,
      statusRate: 1,
      size: 1,
      coins: null,
      extraCoins: 0,
      startTime: null,
      diffSide: false,
      trimSnapshot: false,
      snapshotMs: 0,
      infoWeightPerMinute: 0,
    });
  });

  it('are read from the environment; empty values count as not set', () => {
    const env = {
      VENUE_SEED: 'tuesday',
      VENUE_PORT: '0',
      VENUE_CAPTURE: '/tmp/c',
      VENUE_PACE: 'step',
      VENUE_RATE: '',
      VENUE_SIZE: '0.5',
      VENUE_COINS: 'BTC, xyz:GOLD',
      VENUE_EXTRA_COINS: '64',
      VENUE_START_TIME: '1778002752957',
      VENUE_DIFF_SIDE: '1',
      VENUE_SNAPSHOT_TRIM: '0',
      VENUE_SNAPSHOT_MS: '90',
      VENUE_INFO_WEIGHT_PER_MINUTE: '1200',
    };
    expect(readSettings(env)).toMatchObject({
      seed: 'tuesday',
      port: 0,
      capture: '/tmp/c',
      pace: 0,
      rate: 1,
      size: 0.5,
      coins: ['BTC', 'xyz:GOLD'],
      extraCoins: 64,
      startTime: 1_778_002_752_957,
      diffSide: true,
      trimSnapshot: false,
      snapshotMs: 90,
      infoWeightPerMinute: 1_200,
    });
    expect(readSettings({ VENUE_PACE: '2.5' }).pace).toBe(2.5);
  });

  it.each([
    ['VENUE_PORT', '70000'],
    ['VENUE_PORT', 'x'],
    ['VENUE_PORT', '4410.5'],
    ['VENUE_CONTROL_PORT', '-1'],
    ['VENUE_PACE', 'fast'],
    ['VENUE_PACE', '-1'],
    ['VENUE_RATE', '1e9'],
    ['VENUE_SIZE', '0'],
    ['VENUE_COINS', 'BTC,NOPE'],
    ['VENUE_EXTRA_COINS', '501'],
    ['VENUE_START_TIME', 'noon'],
    ['VENUE_DIFF_SIDE', 'yes'],
    ['VENUE_MAX_UNSENT_BYTES', '10'],
    ['VENUE_SNAPSHOT_MS', '-1'],
    ['VENUE_INFO_WEIGHT_PER_MINUTE', '-1'],
    ['VENUE_INFO_WEIGHT_PER_MINUTE', '0.5'],
  ])('with %s=%s are refused with the name, the value and an example', (name, value) => {
    const read = () => readSettings({ [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(`${name}: `);
    expect(read).toThrow(
      `(is ${JSON.stringify(value)}, for example ${SETTINGS[name as keyof typeof SETTINGS].example})`,
    );
  });

  it('that are invalid are all named at once', () => {
    const read = () => readSettings({ VENUE_PORT: 'x', VENUE_PACE: 'y' });
    expect(read).toThrow(/VENUE_PORT.*\n.*VENUE_PACE/);
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

  it('are all in the help text', () => {
    for (const name of Object.keys(SETTINGS)) expect(describeSettings()).toContain(name);
  });
});
