/** Which comments of others go with the next run. */
import { useState } from "react";

export interface Picked {
  readonly has: (id: string) => boolean;
  readonly set: (id: string, picked: boolean) => void;
  readonly clear: () => void;
}

export function usePicked(): Picked {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    has: (id) => ids.has(id),
    set: (id, picked) =>
      setIds((now) => {
        const next = new Set(now);
        if (picked) next.add(id);
        else next.delete(id);
        return next;
      }),
    clear: () => setIds(new Set()),
  };
}
