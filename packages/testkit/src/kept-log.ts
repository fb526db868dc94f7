/** A pino-like log that keeps its lines, for failure messages. */
export class KeptLog {
  readonly lines: string[] = [];

  debug(fields: object, message: string): void {
    this.#keep('debug', fields, message);
  }

  info(fields: object, message: string): void {
    this.#keep('info', fields, message);
  }

  warn(fields: object, message: string): void {
    this.#keep('warn', fields, message);
  }

  error(fields: object, message: string): void {
    this.#keep('error', fields, message);
  }

  #keep(level: string, fields: object, message: string): void {
    const text = JSON.stringify(fields, (_, value) => (value instanceof Error ? String(value) : value));
    this.lines.push(`${level} ${message} ${text}`);
  }
}
