/** The environment variables passed to the venue process. Everything else, including keys, is left out. */
const HANDED_ON = /^(?:PATH|NODE_.*|VENUE_.*)$/;

/** The environment of the simulated exchange: its `VENUE_*` values from `.env`, overridden by the process environment. */
import type { Variables } from '@l4desk/runtime/node';
export function venueEnvironment(environment: Variables, envFile: Variables): Variables {
  const own = Object.entries(envFile).filter(([name]) => name.startsWith('VENUE_'));
  const set = Object.entries(environment).filter(([name, value]) => HANDED_ON.test(name) && value !== '');
  return { ...Object.fromEntries(own), ...Object.fromEntries(set) };
}
