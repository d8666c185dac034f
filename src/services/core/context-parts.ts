/** Names the parts of the context that several services need together; a function that needs less picks its fields. */
import type { ServiceContext } from "./context.ts";

/** The fields of the context that a function uses. */
export type Uses<Field extends keyof ServiceContext> = Pick<ServiceContext, Field>;

/** Moves a run from one state to the next. */
export type MoveContext = Uses<"db" | "clock" | "shells" | "tokens" | "newFacts" | "failpoint">;

/** Writes an act into the journal: its intention, its result and its fact. */
export type JournalContext = Uses<
  "db" | "clock" | "newId" | "owner" | "actor" | "engineStop" | "newFacts" | "failpoint" | "reportFault"
>;

/** Changes what git holds, and writes it into the journal. */
export type GitContext = JournalContext & Uses<"git" | "ownDepot">;

/** Also changes worktrees on the disk, and registrations that only one writer may change at a time. */
export type WorktreeContext = GitContext & Uses<"locks" | "paths">;

/** Puts attempts away, and tries again if that fails. */
export type CleanUpContext = WorktreeContext &
  Uses<"attemptLock" | "configuration" | "shell" | "timing" | "cleanUpRetries" | "terminals">;

/** Saves what a person asks for, and wakes the queue. */
export type RequestContext = JournalContext &
  Uses<"shells" | "shell" | "configuration" | "dispatcher" | "team">;

/** Starts programs of the repository, such as setup, hooks and checks, in the sandbox or under the guard. */
export type ConfinedContext = Uses<
  | "db"
  | "git"
  | "ownDepot"
  | "clock"
  | "newId"
  | "owner"
  | "engineStop"
  | "paths"
  | "sandbox"
  | "userEnv"
  | "tokens"
  | "selfCommand"
  | "ownFolders"
  | "timing"
>;

/** Starts an agent under its keeper. */
export type AgentContext = Omit<ConfinedContext, "clock" | "engineStop"> &
  Uses<"objectKeys" | "probe" | "standby" | "outputLimits" | "failpoint">;
