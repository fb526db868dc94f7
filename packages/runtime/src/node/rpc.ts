/** A call of a method in another thread, or that its response is no longer wanted. */
export type RpcRequest =
  | { readonly kind: 'call'; readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly kind: 'cancel'; readonly id: number };

/** An error as it is passed between threads. */
export interface RpcFailure {
  readonly message: string;
  readonly code?: unknown;
}

/** The one response to a call, unless it is cancelled. */
export type RpcResponse =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly id: number; readonly error: RpcFailure };

type Args<Method> = Method extends (...args: infer All) => Promise<unknown> ? All : never;
type Result<Method> = Method extends (...args: never[]) => Promise<infer Value> ? Value : never;

interface Pending {
  readonly request: RpcRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Calls methods in another thread, over any port. The types of `Api` are those of the methods; nothing checks them. */
export class RpcClient<Api> {
  readonly #post: (request: RpcRequest) => void;
  readonly #revive: (error: RpcFailure) => Error;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #end: Error | undefined;

  constructor(
    post: (request: RpcRequest) => void,
    revive: (error: RpcFailure) => Error = ({ message }) => new Error(message),
  ) {
    this.#post = post;
    this.#revive = revive;
  }

  /** Rejects with the method's error, with the signal's reason when it aborts, or with the reason of `end`. */
  call<K extends keyof Api & string>(
    method: K,
    args: Args<Api[K]> & readonly unknown[],
    signal?: AbortSignal,
  ): Promise<Result<Api[K]>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const refusal = this.#end ?? (signal?.aborted === true ? reasonOf(signal) : undefined);
      if (refusal !== undefined) {
        reject(refusal);
        return;
      }
      const request: RpcRequest = { kind: 'call', id, method, args };
      const onAbort = () => {
        this.#post({ kind: 'cancel', id });
        end(() => reject(reasonOf(signal)));
      };
      const end = (settle: () => void) => {
        this.#pending.delete(id);
        signal?.removeEventListener('abort', onAbort);
        settle();
      };
      this.#pending.set(id, {
        request,
        // The other thread's method has this type.
        resolve: (value) => end(() => resolve(value as Result<Api[K]>)),
        reject: (error) => end(() => reject(error)),
      });
      signal?.addEventListener('abort', onAbort);
      this.#post(request);
    });
  }

  receive(response: RpcResponse): void {
    const pending = this.#pending.get(response.id);
    if (response.kind === 'result') pending?.resolve(response.value);
    else pending?.reject(this.#revive(response.error));
  }

  /** Posts all pending calls again, to a thread that replaces one that exited. */
  repeat(): void {
    for (const { request } of this.#pending.values()) this.#post(request);
  }

  /** Rejects all pending and further calls. */
  end(error: Error): void {
    this.#end ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#end);
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason instanceof Error ? signal.reason : new Error('cancelled');
}

/** A result of which buffers are transferred instead of copied. */
export class Transferred<T> {
  readonly value: T;
  readonly buffers: readonly ArrayBuffer[];

  constructor(value: T, buffers: readonly ArrayBuffer[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

/** The methods of `Api`, each with a signal that aborts when its response is no longer wanted. */
export type RpcMethods<Api> = {
  readonly [K in keyof Api]: (
    signal: AbortSignal,
    ...args: Args<Api[K]>
  ) => Promise<Result<Api[K]> | Transferred<Result<Api[K]>>>;
};

type Respond = (response: RpcResponse, transfer: readonly ArrayBuffer[]) => void;

/** Serves the calls of an `RpcClient`. */
export class RpcServer<Api> {
  readonly #methods: ReadonlyMap<string, (signal: AbortSignal, ...args: readonly unknown[]) => Promise<unknown>>;
  readonly #respond: Respond;
  readonly #running = new Map<number, AbortController>();

  constructor(methods: RpcMethods<Api>, respond: Respond) {
    this.#methods = new Map(Object.entries(methods));
    this.#respond = respond;
  }

  receive(request: RpcRequest): void {
    if (request.kind === 'cancel') this.#running.get(request.id)?.abort();
    else void this.#run(request);
  }

  async #run({ id, method, args }: Extract<RpcRequest, { kind: 'call' }>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(id, controller);
    let response: RpcResponse;
    let transfer: readonly ArrayBuffer[] = [];
    try {
      const run = this.#methods.get(method);
      if (run === undefined) throw new Error(`no method ${method}`);
      let value = await run(controller.signal, ...args);
      if (value instanceof Transferred) ({ value, buffers: transfer } = value);
      response = { kind: 'result', id, value };
    } catch (error) {
      response = { kind: 'refused', id, error: failureOf(error) };
    }
    this.#running.delete(id);
    if (!controller.signal.aborted) this.#respond(response, transfer);
  }
}

function failureOf(error: unknown): RpcFailure {
  if (error instanceof Error && 'code' in error) return { message: error.message, code: error.code };
  // Nobody expects this error: its text begins with its class.
  return { message: String(error) };
}
