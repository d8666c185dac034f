/** Knows the folder of one client's tools: the fixed one, or the first root that the client offers. */
import { reopened, type ToolContext } from "../../tools/core/context.ts";

export interface WorkspaceOptions {
  /** Holds if no root says otherwise. */
  readonly first: ToolContext;
  /** A context on this `file:` address, or null if it is not a folder. The whole is null if the workspace is fixed. */
  readonly openRoot: ((uri: string) => ToolContext | null) | null;
  /** Gets a sentence on which root counts, and why another does not. */
  readonly report: (message: string) => void;
}

interface Workspace {
  /** Waits for a pending answer about roots. */
  current(): Promise<ToolContext>;
  /** Asks for the roots, after the client declared them or announced a change. */
  follow(listRoots: () => Promise<readonly { readonly uri: string }[]>): void;
  /** Ends what the tools left running. */
  close(): Promise<void>;
}

export function createWorkspace({ first, openRoot, report }: WorkspaceOptions): Workspace {
  let current = Promise.resolve(first);
  let isToAsk = false;
  /** Running calls end in the folder in which they began; services of the old folder are stopped. */
  const move = async (from: ToolContext, to: ToolContext | null): Promise<ToolContext> => {
    const next = to ?? reopened(first);
    if (next.workspaceRoot === from.workspaceRoot) return from;
    report(`The workspace is ${next.workspaceRoot}.`);
    await from.shared.close();
    return next;
  };
  return {
    current: () => current,
    follow(listRoots) {
      // A question that has not been sent yet will show this change too.
      if (openRoot === null || isToAsk) return;
      isToAsk = true;
      const before = current;
      current = (async () => {
        const from = await before;
        isToAsk = false;
        try {
          return await move(from, firstFolder(await listRoots(), openRoot, report));
        } catch (error) {
          report(`The client did not name its roots (${error instanceof Error ? error.message : error}).`);
          return from;
        }
      })();
    },
    close: async () => (await current).shared.close(),
  };
}

function firstFolder(
  roots: readonly { readonly uri: string }[],
  openRoot: (uri: string) => ToolContext | null,
  report: (message: string) => void,
): ToolContext | null {
  for (const [index, { uri }] of roots.entries()) {
    const context = openRoot(uri);
    const others = roots.length - index - 1;
    if (context !== null && others > 0)
      report(`Of the client's roots the first folder counts; ${others} more are not reached.`);
    if (context !== null) return context;
  }
  if (roots.length > 0) report("None of the client's roots is a folder on this machine.");
  return null;
}
