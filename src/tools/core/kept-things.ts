/** Keeps one of each thing that calls of a context share, such as running services or facts about a repository. */

/** Names one shared thing, and says how it is made and ended. */
export interface SharedKey<Value> {
  readonly name: string;
  make(): Value;
  /** Ends it finally, when the context is closed. */
  close?(value: Value): Promise<void>;
}

export interface Shared {
  /** The one value of this key, made at the first call. Throws `ClosedError` once the context is closed. */
  get<Value>(key: SharedKey<Value>): Value;
  isClosed(): boolean;
  /** Ends everything. Nothing is made later, because nothing would end it. A second call waits for the first. */
  close(): Promise<void>;
}

/** Something shared was asked for after the close. The caller gets `CLOSED`. */
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
