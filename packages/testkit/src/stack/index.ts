/** The real stack in child processes, for black-box tests. Imports no other workspace package and no test runner. */
export { type ExampleOptions, runExample } from './example.ts';
export { freePort } from './free-port.ts';
export { Program, type ProgramOptions, type ProgramResult } from './program.ts';
export { Stack, type StackOptions } from './stack.ts';
export {
  type VenueBook,
  VenueControl,
  type VenueFault,
  type VenueOrder,
  type VenueState,
  type VenueWallet,
} from './venue-control.ts';
