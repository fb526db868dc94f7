/**
 * Whether the month's credits have reached the share of the plan from which the user wants an alarm; 0 percent for none. Every page
 * loads this with its header, so it stays apart from the burn rate and its decimal arithmetic.
 */
export function isAlertReached(credits: number, ceiling: number, percent: number): boolean {
  return percent > 0 && ceiling > 0 && credits * 100 >= ceiling * percent;
}
