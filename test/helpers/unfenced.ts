/** What a service that takes leases needs, if no attempt can move. */
import type { ServiceContext } from "../../src/services/core/context.ts";
import { createFence } from "../../src/services/fencing/fence.ts";

export function unfenced(): Pick<ServiceContext, "fence" | "engineStop"> {
  return {
    fence: createFence({ file: "/nowhere/lease.json", leaseMs: 120_000 }),
    engineStop: new AbortController().signal,
  };
}
