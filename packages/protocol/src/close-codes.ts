/** WebSocket close codes that the service sends (D21, D22, D24, D30). */
export const CLOSE_CODES = {
  goingAway: 1001,
  policyViolation: 1008,
  messageTooBig: 1009,
  internalError: 1011,
  slowConsumer: 1013,
  keyRevoked: 4401,
  creditsExhausted: 4402,
} as const;

export type CloseCodeName = keyof typeof CLOSE_CODES;
