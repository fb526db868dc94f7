/** The part of a socket's events that we read: `data` of a message, `code` and `reason` of a close, `message` of an error. */
export interface SocketEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
}

/** The part of a browser WebSocket that we use. The `ws` package has it too. */
export interface Socket {
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: 'open' | 'message' | 'error' | 'close', listener: (event: SocketEvent) => void): void;
}

/** A socket class that connects on construction. */
export type SocketConstructor = new (url: string) => Socket;

/** Thrown if the platform lacks something that has to be passed in. The message says what and how. */
export class MissingOnPlatform extends TypeError {}
