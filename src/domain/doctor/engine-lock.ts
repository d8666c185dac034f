/** Explains what is wrong with the lock that lets one engine at a time work on a data folder. */

import { listed } from "../text/listed.ts";
import { shellWord } from "../text/shell-word.ts";
import { type Finding, makeFinding } from "./finding.ts";

export interface EngineLockFacts {
  /** Absolute. */
  readonly file: string;
  /** Why it cannot be a lock of Tazuna's; null if it can, or if there is none. */
  readonly strange: "link" | "no_file" | "no_lock" | "closed" | null;
  /** Null if it is not a file. */
  readonly bytes: number | null;
  /** Processes that hold it; null if the system does not say. */
  readonly holders: readonly number[] | null;
}

/** The facts of an engine by which its lock is judged. */
type Engine =
  | { readonly state: "none" | "died" | "silent" }
  | { readonly state: "answers"; readonly pid: number };

const ID = "engine_lock";

export function engineLockFindings(engine: Engine, lock: EngineLockFacts): readonly Finding[] {
  if (lock.strange !== null) return [strangeFinding(lock, lock.strange)];
  if (lock.holders === null) return [];
  if (engine.state === "answers")
    return lock.holders.includes(engine.pid) ? [] : [lostFinding(lock, engine.pid)];
  return engine.state === "silent" || lock.holders.length === 0 ? [] : [heldFinding(lock, lock.holders)];
}

const KINDS = {
  link: "is a link to another place",
  no_file: "is not a file",
  no_lock: "is not a lock of Tazuna's",
  closed: "cannot be read",
} as const;

/** It is not ours: only a person can decide to remove it. */
function strangeFinding({ file, bytes }: EngineLockFacts, strange: keyof typeof KINDS): Finding {
  return makeFinding("error", ID, `${file} ${KINDS[strange]}.`, {
    why: "An engine takes the lock of that name before it begins, so none may be able to start. It is kept: Tazuna did not make it.",
    path: file,
    bytes,
    remedy: `While no engine works: \`mv ${shellWord(file)} ${shellWord(`${file}.aside`)}\` puts it aside, and the next command makes a lock of its own.`,
  });
}

function heldFinding({ file }: EngineLockFacts, holders: readonly number[]): Finding {
  const pids = holders.map(String);
  const named = `${pids.length === 1 ? "process" : "processes"} ${listed(pids)}`;
  return makeFinding("error", ID, `The lock of the data folder is held, and no engine answers.`, {
    whose: named,
    why: "No other engine can start, and every command waits for one. It may be an engine that is just starting or ending. The lock is free as soon as its holder ends. It is never taken from its holder.",
    path: file,
    remedy: `\`ps -p ${pids.join(",")} -o pid,etime,args\` shows what holds it; \`kill ${pids.join(" ")}\` ends it.`,
  });
}

function lostFinding({ file }: EngineLockFacts, pid: number): Finding {
  return makeFinding(
    "warning",
    ID,
    `The engine (process ${pid}) does not hold ${file}: the file was removed.`,
    {
      why: "A second engine could begin on the same data folder. Agents work on without an engine.",
      path: file,
      remedy: `\`kill ${pid}\`: the next command starts one that holds it.`,
    },
  );
}
