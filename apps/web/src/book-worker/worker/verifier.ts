import type { Follower, Verification } from '@l4desk/client';
import type { VerificationReport } from '../messages.ts';

interface VerifierDeps {
  readonly now: () => number;
  readonly orders: () => number;
  readonly onReport: () => void;
}

/** Compares the live book with a fresh snapshot on request, and keeps the last result. */
export class Verifier {
  readonly #deps: VerifierDeps;
  #report: VerificationReport | undefined;
  /** Increases with every coin: a comparison that ends after another coin was chosen is not reported. */
  #subject = 0;

  constructor(deps: VerifierDeps) {
    this.#deps = deps;
  }

  get report(): VerificationReport | undefined {
    return this.#report;
  }

  forget(): void {
    this.#subject += 1;
    this.#report = undefined;
  }

  async verify(follower: Follower, coin: string): Promise<void> {
    if (this.#report?.kind === 'running') return;
    const subject = this.#subject;
    const since = this.#deps.now();
    this.#show(subject, { kind: 'running', since });
    try {
      const verification = await follower.verify(coin);
      this.#show(subject, this.#reportOf(verification, since));
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      this.#show(subject, { kind: 'failed', at: this.#deps.now(), detail });
    }
  }

  #reportOf(verification: Verification, since: number): VerificationReport {
    const at = this.#deps.now();
    switch (verification.kind) {
      case 'equal':
        return { kind: 'equal', at, height: verification.height, orders: this.#deps.orders(), tookMs: at - since };
      case 'different':
        return { kind: 'different', at, detail: verification.detail };
      case 'abandoned':
        return { kind: 'failed', at, detail: `the book was not live: ${verification.state.detail}` };
    }
  }

  #show(subject: number, report: VerificationReport): void {
    if (subject !== this.#subject) return;
    this.#report = report;
    this.#deps.onReport();
  }
}
