import { expect, it } from 'vitest';
import { venueEnvironment } from './venue-environment.ts';

it('passes the simulated exchange its own settings and those of Node, and no secrets', () => {
  const environment = {
    PATH: '/bin',
    NODE_OPTIONS: '--max-old-space-size=100',
    VENUE_SEED: '1',
    VENUE_PACE: '',
    METRICS_KEY: 'secret',
    UPSTREAM_API_KEY: 'secret',
    DATABASE_URL: 'postgres://secret',
    HOME: '/root',
    MY_VENUE_KEY: 'secret',
    MY_PATH: 'secret',
  };
  const envFile = { VENUE_SEED: '2', VENUE_PACE: '4', METRICS_KEY: 'secret', PATH: '/evil', NODE_OPTIONS: '--evil' };
  expect(venueEnvironment(environment, envFile)).toEqual({
    PATH: '/bin',
    NODE_OPTIONS: '--max-old-space-size=100',
    VENUE_SEED: '1',
    VENUE_PACE: '4',
  });
});
