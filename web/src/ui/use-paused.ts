/** A value, once it has not changed for a while. */
import { useEffect, useState } from "react";

/** `key` tells whether it changed. */
export function usePaused<Value>(
  value: Value,
  { key, ms }: { readonly key: string; readonly ms: number },
): Value {
  const [paused, setPaused] = useState(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the value.
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), ms);
    return () => clearTimeout(timer);
  }, [key, ms]);
  return paused;
}
