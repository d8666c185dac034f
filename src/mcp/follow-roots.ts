/** Knows the folder that the tools of one client work in: the one that was fixed, or the first root that the client offers. */
import { reopened, type ToolContext } from "../tools/core/context.ts";

export interface WorkspaceOptions {
  /** What holds where no root says otherwise. */
  readonly first: ToolContext;
  /** A context on this `file:` address, or null where it is no folder; null where the workspace is fixed and no root counts. */
  readonly openRoot: ((uri: string) => ToolContext | null) | null;
  /** Told in a sentence which root counts, and why another does not. */
  readonly report: (message: string) => void;
}

export interface Workspace {
  /** Waits for the answer about roots, where one is under way. */
  current(): Promise<ToolContext>;
  /** Asks for the roots, now that the client is known to have them or has others. */
  follow(listRoots: () => Promise<readonly { readonly uri: string }[]>): void;
  /** Ends what the tools left running. */
  close(): Promise<void>;
}

export function createWorkspace({ first, openRoot, report }: WorkspaceOptions): Workspace {
  let current = Promise.resolve(first);
  let isToAsk = false;
  /** Calls that are under way end where they began; services of a folder that was left are stopped. */
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
      // A question that is still to be asked learns of this change too.
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
