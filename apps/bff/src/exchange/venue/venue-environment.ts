import type { Variables } from '@l4desk/ledger';

/** What a program of ours needs of the environment; everything else, our keys included, is left out. */
const HANDED_ON = /^(?:PATH|NODE_.*|VENUE_.*)$/;

/** What the simulated exchange finds: its part of the environment, then what `.env` has for it. */
export function venueEnvironment(environment: Variables, envFile: Variables): Variables {
  const own = Object.entries(envFile).filter(([name]) => name.startsWith('VENUE_'));
  const set = Object.entries(environment).filter(([name, value]) => HANDED_ON.test(name) && value !== '');
  return { ...Object.fromEntries(own), ...Object.fromEntries(set) };
}
