/** Keeps what several calls of one context share (running services, what is known of a repository), one of a kind. */

/** Names one shared thing and says how it is made and ended. */
export interface SharedKey<Value> {
  readonly name: string;
  make(): Value;
  /** Ends it for good, when the context is closed. */
  close?(value: Value): Promise<void>;
}

export interface Shared {
  /** The one value of this key, made at the first call. Throws `ClosedError` from the moment it is closed. */
  get<Value>(key: SharedKey<Value>): Value;
  isClosed(): boolean;
  /** Ends whatever was made, for good: what is made later nobody would end. A second call waits for the first. */
  close(): Promise<void>;
}

/** Something shared was asked for after the end; the door of the tools answers it with `CLOSED`. */
export class ClosedError extends Error {}

export function createShared(): Shared {
  const made = new Map<SharedKey<never>, { readonly value: unknown; close(): Promise<void> }>();
  let closing: Promise<unknown> | null = null;
  return {
    isClosed: () => closing !== null,
    get<Value>(key: SharedKey<Value>): Value {
      if (closing !== null) throw new ClosedError(`The context is closed; there are no ${key.name}.`);
      const found = made.get(key as SharedKey<never>);
      if (found !== undefined) return found.value as Value;
      const value = key.make();
      made.set(key as SharedKey<never>, { value, close: async () => key.close?.(value) });
      return value;
    },
    async close() {
      closing ??= Promise.all([...made.values()].map((one) => one.close()));
      await closing;
    },
  };
}
