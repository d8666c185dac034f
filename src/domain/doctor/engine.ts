/** Decides whether an engine works on the data folder, and whether it fits this command. */
import { type EngineLockFacts, engineLockFindings } from "./engine-lock.ts";
import { type Finding, makeFinding } from "./finding.ts";

export interface EngineFacts {
  readonly engine:
    | { readonly state: "none" }
    /** Its `server.json` is there, but its process is gone. */
    | { readonly state: "died" }
    | { readonly state: "silent"; readonly pid: number }
    | {
        readonly state: "answers";
        readonly pid: number;
        readonly url: string;
        readonly version: string;
        /** The address of its Postgres, without credentials; null for the data folder's own database. */
        readonly database: string | null;
      };
  readonly lock: EngineLockFacts;
  readonly ownVersion: string;
  /** The value of TAZUNA_DATABASE here, without credentials; null if it is not set. */
  readonly wantedDatabase: string | null;
}

export function engineFindings(facts: EngineFacts): readonly Finding[] {
  const lock = engineLockFindings(facts.engine, facts.lock);
  // If no engine can start, it would be wrong to say that a command starts one.
  const isStuck = lock.some(({ level }) => level === "error");
  const isGone = facts.engine.state === "none" || facts.engine.state === "died";
  return isStuck && isGone ? lock : [...stateFindings(facts), ...lock];
}

function stateFindings(facts: EngineFacts): readonly Finding[] {
  const { engine } = facts;
  switch (engine.state) {
    case "none":
      return [makeFinding("ok", "engine", "No engine works now; a command starts one when it needs one.")];
    case "died":
      return [
        makeFinding("info", "engine", "The last engine was stopped from outside.", {
          why: "The next one goes on where it stopped; agents work on meanwhile.",
          remedy: "`tazuna list` starts one.",
        }),
      ];
    case "silent":
      return [
        makeFinding("error", "engine", `The engine (process ${engine.pid}) does not answer.`, {
          why: "Every command waits for it. Agents work on without it, and the next engine goes on with them.",
          remedy: "`tazuna engine stop` ends it.",
        }),
      ];
    case "answers":
      return [runningFinding(facts.ownVersion, engine), ...databaseFinding(facts.wantedDatabase, engine)];
  }
}

type Running = Extract<EngineFacts["engine"], { state: "answers" }>;

function runningFinding(ownVersion: string, { pid, url, version }: Running): Finding {
  const where = `An engine works (process ${pid}, ${url})`;
  if (version === ownVersion) return makeFinding("ok", "engine", `${where}.`);
  return makeFinding(
    "warning",
    "engine",
    `${where}, of version ${version}; this command is of ${ownVersion}.`,
    {
      remedy: "`tazuna engine restart` starts one of this version; agents work on meanwhile.",
    },
  );
}

function databaseFinding(wanted: string | null, { database }: Running): readonly Finding[] {
  if (wanted === null || wanted === database) return [];
  return [
    makeFinding(
      "error",
      "engine_database",
      "TAZUNA_DATABASE names another database than the engine works with.",
      {
        why: `The variable says ${wanted}; the engine works with ${database ?? "the one in the data folder"}, and every command goes to it.`,
        remedy:
          "`tazuna engine stop` and run the command again, or unset TAZUNA_DATABASE, or set TAZUNA_HOME to another folder.",
      },
    ),
  ];
}
