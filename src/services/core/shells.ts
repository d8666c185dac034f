/** Keeps the environments of shells in memory only, each until its last run has ended (ADR 0043). */
import type { ServiceContext, Shell, Shells } from "./context.ts";

/** How long an environment is kept without a run: long enough for the calls of one command. */
const KEEP_MS = 60_000;

export function createShells(
  make: (variables: Readonly<Record<string, string>>) => Omit<Shell, "id">,
  { keepMs = KEEP_MS }: { readonly keepMs?: number } = {},
): Shells {
  const known = new Map<string, { readonly shell: Shell; readonly timer: NodeJS.Timeout }>();
  const running = new Map<string, Shell>();
  const renew = (shell: Shell) => {
    clearTimeout(known.get(shell.id)?.timer);
    const timer = setTimeout(() => known.delete(shell.id), keepMs);
    timer.unref();
    known.set(shell.id, { shell, timer });
  };
  return {
    keep: (id, variables) => renew({ id, ...make(variables) }),
    contextOf: (engine, id) => {
      const shell = known.get(id)?.shell;
      if (shell === undefined) return null;
      renew(shell);
      return contextFor(engine, shell);
    },
    bindToRun: (shell, runId) => {
      if (shell !== null) running.set(runId, shell);
    },
    release: (runId) => void running.delete(runId),
    holdsFor: (runId) => running.has(runId),
    contextOfRun: (engine, runId) => contextFor(engine, running.get(runId) ?? null),
  };
}

function contextFor(engine: ServiceContext, shell: Shell | null): ServiceContext {
  if (shell === null) return engine;
  const { id: _, ...replaced } = shell;
  return { ...engine, ...replaced, shell };
}
