/** Keeps what several calls of one context share (running services, what is known of a repository), one of a kind. */

/** Names one shared thing and says how it is made and ended. */
export interface SharedKey<Value> {
  readonly name: string;
  make(): Value;
  /** Ends it for good, when the context is closed. */
  close?(value: Value): Promise<void>;
}

export interface Shared {
  /** The one value of this key, made at the first call. */
  get<Value>(key: SharedKey<Value>): Value;
  /** Ends whatever was made; what is asked for afterwards is made anew. */
  close(): Promise<void>;
}

export function createShared(): Shared {
  const made = new Map<SharedKey<never>, { readonly value: unknown; close(): Promise<void> }>();
  return {
    get<Value>(key: SharedKey<Value>): Value {
      const found = made.get(key as SharedKey<never>);
      if (found !== undefined) return found.value as Value;
      const value = key.make();
      made.set(key as SharedKey<never>, { value, close: async () => key.close?.(value) });
      return value;
    },
    async close() {
      const all = [...made.values()];
      made.clear();
      await Promise.all(all.map((one) => one.close()));
    },
  };
}
