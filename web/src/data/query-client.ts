/** Makes the query cache. It holds all that the page knows of the server; facts renew it, and nothing polls. */
import type { FactDocument } from "@contract/endpoints/operations.ts";
import { notifyManager, QueryClient, type QueryKey } from "@tanstack/react-query";
import { Refused } from "./api.ts";

/** Whether a fact makes what a query holds old. */
type RenewedBy = (fact: FactDocument) => boolean;

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      readonly renewedBy?: RenewedBy;
      /** Whether what it holds may have ended with the server: no fact tells that. */
      readonly endsWithServer?: (data: unknown) => boolean;
      /** What must be renewed before it, such as a list before its parts. */
      readonly after?: QueryKey;
    };
  }
}

export function createQueryClient(): QueryClient {
  // A timer would come after the frame: a box that is shown as checked at once would flicker.
  notifyManager.setScheduler(queueMicrotask);
  return new QueryClient({
    defaultOptions: {
      queries: {
        // A fact says when it is old.
        staleTime: Number.POSITIVE_INFINITY,
        // The server is mostly on this machine: it is there without a network, too.
        networkMode: "always",
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (count, error) =>
          count < 3 && error instanceof Refused && error.problem.kind === "unreachable",
        retryDelay: (count) => Math.min(2000, 200 * 2 ** count),
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}
