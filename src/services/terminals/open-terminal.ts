/** Opens a terminal in an attempt's worktree for a signed-in person, and finds those that are open (ADR 0073). */
import { err, ok, type Result } from "neverthrow";
import type { Configuration } from "../../domain/configuration/schema.ts";
import { runsOfAttempt } from "../../storage/tables/runs.ts";
import { isThere } from "../../utils/files/is-there.ts";
import type { ConfinedContext, Uses } from "../core/context-parts.ts";
import { findPlaceHere } from "../core/find-place.ts";
import type { OpenTerminal, TerminalRequest } from "../core/open-terminal.ts";
import { configurationRefusal, notEnded, type Refusal, refuse, shortId } from "../core/refusal.ts";
import { untrustedScripts } from "../trust/trust.ts";
import { startTerminal } from "./start-terminal.ts";

/** A browser has six connections to a server, and each terminal holds one. */
const MOST = 4;

type OpenContext = ConfinedContext & Uses<"configuration" | "reportFault" | "terminals">;

export async function openTerminal(
  context: OpenContext,
  request: TerminalRequest,
): Promise<Result<{ readonly id: string }, Refusal>> {
  const general = await context.configuration(null);
  if (general.isErr()) return err(configurationRefusal(general.error));
  // From here to the table nothing is waited for. So of several at once no more than fit go on.
  const forbidden = whyNot(general.value.values.terminal, request) ?? whyFull(context.terminals);
  if (forbidden !== null) return err(forbidden);
  const id = context.newId();
  const opening = beginOpening(request);
  context.terminals.set(id, opening.terminal);
  try {
    const opened = await openAt(context, request, { id, signal: opening.signal });
    if (opened.isErr()) return err(opened.error);
    context.terminals.set(id, opened.value);
    if (!opening.signal.aborted && !context.engineStop.aborted) return ok({ id });
    await opened.value.end();
    return err(notThere(request.attempt));
  } finally {
    if (context.terminals.get(id) === opening.terminal) context.terminals.delete(id);
    opening.settle();
  }
}

async function openAt(
  context: OpenContext,
  request: TerminalRequest,
  opening: { readonly id: string; readonly signal: AbortSignal },
): Promise<Result<OpenTerminal, Refusal>> {
  const { attempt: attemptId, columns, rows, outside } = request;
  const found = await findPlaceHere(context, attemptId);
  if (found.isErr()) return err(found.error);
  const place = found.value;
  const { attempt, task, repository } = place;
  const [run] = await runsOfAttempt(context.db.reader, attemptId);
  if (run === undefined) return err(notEnded(shortId(attemptId)));
  if (attempt.state !== "open" || !(await isThere(attempt.worktree))) return err(notThere(attemptId));
  const loaded = await context.configuration(repository, task.settings);
  if (loaded.isErr()) return err(configurationRefusal(loaded.error));
  const configuration = loaded.value;
  const asked = { repository, configuration, agents: [], only: "loosened" } as const;
  const untrusted = await untrustedScripts(context, asked);
  if (untrusted !== null) return err(untrusted);
  const start = { ...opening, place, configuration, run, size: { columns, rows }, outside };
  return (await startTerminal(context, start)).mapErr(unavailable);
}

/** From another machine only those are found that were opened from one. */
export function findTerminal(
  { terminals }: Uses<"terminals">,
  { id, outside }: { readonly id: string; readonly outside: boolean },
): Result<OpenTerminal, Refusal> {
  const found = terminals.get(id);
  if (found !== undefined && (found.outside || !outside)) return ok(found);
  return err(
    refuse("not_found", "no_such_terminal", "This terminal has ended.", {
      remedy: "Open another one in the attempt.",
    }),
  );
}

/** Counts while its shell is being started. Its end settles once the start is over and nothing came of it. */
function beginOpening({ attempt, outside }: TerminalRequest) {
  const unwanted = new AbortController();
  const { promise: settled, resolve: settle } = Promise.withResolvers<void>();
  const terminal: OpenTerminal = {
    attemptId: attempt,
    outside,
    write: async () => {},
    resize: async () => {},
    read: () => ({ next: async () => ({ kind: "ended", code: null }), leave: () => {} }),
    end: () => {
      unwanted.abort();
      return settled;
    },
  };
  return { terminal, signal: unwanted.signal, settle };
}

function whyNot(allowed: Configuration["terminal"], { outside }: TerminalRequest): Refusal | null {
  if (process.platform === "win32") return unavailable("Tazuna has none for Windows.");
  if (allowed === "never")
    return refuse("conflict", "terminal_off", "Terminals in worktrees are switched off.", {
      remedy: "`tazuna config set terminal here` allows them on this machine.",
    });
  if (allowed === "anywhere" || !outside) return null;
  return refuse(
    "conflict",
    "terminal_off",
    "A terminal opens on the machine of the server alone, and this page was reached from elsewhere.",
    {
      remedy:
        "Come through a tunnel (`ssh -L`) to the server's own address, or let it open from anywhere: `tazuna config set terminal anywhere`.",
    },
  );
}

function whyFull(terminals: ReadonlyMap<string, OpenTerminal>): Refusal | null {
  if (terminals.size < MOST) return null;
  return refuse("conflict", "too_many_terminals", `${MOST} terminals are open, and no more may be.`, {
    remedy: "Close one of them. The terminal of a page that is gone ends by itself after half a minute.",
    details: { attempts: [...terminals.values()].map(({ attemptId }) => attemptId) },
  });
}

function notThere(attemptId: string): Refusal {
  const id = shortId(attemptId);
  return refuse(
    "conflict",
    "attempt_removed",
    `The worktree of the attempt ${id} is put away, or about to be.`,
    {
      remedy: `\`tazuna continue ${id} "..."\` makes it again.`,
    },
  );
}

function unavailable(reason: string): Refusal {
  return refuse("failed", "terminal_unavailable", `The terminal could not be opened: ${reason}`, {
    remedy: "`tazuna doctor` says what this machine lacks.",
  });
}
