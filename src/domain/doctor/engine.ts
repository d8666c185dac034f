/** Says whether an engine works on the data folder, and whether it is the one that this command would want. */
import { type EngineLockFacts, engineLockFindings } from "./engine-lock.ts";
import type { Finding } from "./finding.ts";
import { found } from "./found.ts";

export interface EngineFacts {
  readonly engine:
    | { readonly state: "none" }
    /** What it wrote down is there, and it is not. */
    | { readonly state: "died" }
    | { readonly state: "silent"; readonly pid: number }
    | {
        readonly state: "answers";
        readonly pid: number;
        readonly url: string;
        readonly version: string;
        /** Of a Postgres, without credentials; null for the data folder's own. */
        readonly database: string | null;
      };
  readonly lock: EngineLockFacts;
  readonly ownVersion: string;
  /** What TAZUNA_DATABASE names here, without credentials; null where it is not set. */
  readonly wantedDatabase: string | null;
}

export function engineFindings(facts: EngineFacts): readonly Finding[] {
  const lock = engineLockFindings(facts.engine, facts.lock);
  // Where none can start, it would be wrong to say that a command starts one.
  const isStuck = lock.some(({ level }) => level === "error");
  const isGone = facts.engine.state === "none" || facts.engine.state === "died";
  return isStuck && isGone ? lock : [...stateFindings(facts), ...lock];
}

function stateFindings(facts: EngineFacts): readonly Finding[] {
  const { engine } = facts;
  switch (engine.state) {
    case "none":
      return [found("ok", "engine", "No engine works now; a command starts one when it needs one.")];
    case "died":
      return [
        found("info", "engine", "The last engine was stopped from outside.", {
          why: "The next one goes on where it stopped; agents work on meanwhile.",
          remedy: "`tazuna list` starts one.",
        }),
      ];
    case "silent":
      return [
        found("error", "engine", `The engine (process ${engine.pid}) does not answer.`, {
          why: "Every command waits for it. Agents work on without it, and the next engine goes on with them.",
          remedy: `\`kill ${engine.pid}\`; if it stays, \`kill -9 ${engine.pid}\`.`,
        }),
      ];
    case "answers":
      return [runningFinding(facts.ownVersion, engine), ...databaseFinding(facts.wantedDatabase, engine)];
  }
}

type Running = Extract<EngineFacts["engine"], { state: "answers" }>;

function runningFinding(ownVersion: string, { pid, url, version }: Running): Finding {
  const where = `An engine works (process ${pid}, ${url})`;
  if (version === ownVersion) return found("ok", "engine", `${where}.`);
  return found("warning", "engine", `${where}, of version ${version}; this command is of ${ownVersion}.`, {
    remedy: `\`kill ${pid}\`: the next command starts one of its own version, and agents work on meanwhile.`,
  });
}

function databaseFinding(wanted: string | null, { pid, database }: Running): readonly Finding[] {
  if (wanted === null || wanted === database) return [];
  return [
    found("error", "engine_database", "TAZUNA_DATABASE names another database than the engine works with.", {
      why: `The variable says ${wanted}; the engine works with ${database ?? "the one in the data folder"}, and every command goes to it.`,
      remedy: `\`kill ${pid}\` and run the command again, or unset TAZUNA_DATABASE, or set TAZUNA_HOME to another folder.`,
    }),
  ];
}
