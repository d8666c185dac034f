/** Decides whether the database is sound, and whether there is a copy of it. */
import { shellWord } from "../text/shell-word.ts";
import { type Finding, makeFinding } from "./finding.ts";

export type DatabaseState =
  /** For SQLite: the state of the file in the data folder. */
  | { readonly state: "sound" | "older" | "absent" }
  | {
      readonly state: "unusable";
      /** Stable, such as `database_corrupt`. */
      readonly code: string;
      readonly message: string;
      readonly remedy: string;
    }
  /** A Postgres, of an engine that works with it. */
  | {
      readonly state: "postgres";
      readonly trouble: { readonly message: string; readonly remedy: string } | null;
    }
  /** A Postgres that was not asked; `address` without credentials. */
  | { readonly state: "postgres_not_asked"; readonly address: string };

export interface DatabaseFacts {
  /** Absolute path of the SQLite file. */
  readonly file: string;
  readonly database: DatabaseState;
  /** Absolute paths of copies, the newest first. */
  readonly backups: readonly string[];
}

export function databaseFindings({ file, database, backups }: DatabaseFacts): readonly Finding[] {
  switch (database.state) {
    case "absent":
      return [];
    case "postgres":
      return [postgresFinding(database.trouble)];
    case "postgres_not_asked":
      return [notAskedFinding(database.address)];
    case "older":
      return [
        makeFinding("info", "database", OLDER, {
          why: "It is copied into the folder `backups` before that.",
          path: file,
        }),
      ];
    case "sound":
      return [
        makeFinding("ok", "database", "The database is sound.", { path: file }),
        backupFinding(file, backups),
      ];
    case "unusable":
      return [
        makeFinding("error", "database", database.message, {
          why: "No engine can start, and nothing of what Tazuna knows can be shown.",
          path: file,
          remedy: database.code === "database_corrupt" ? putBack(file, backups) : database.remedy,
        }),
      ];
  }
}

function postgresFinding(trouble: Extract<DatabaseState, { state: "postgres" }>["trouble"]): Finding {
  if (trouble === null) return makeFinding("ok", "database", "The database is a Postgres, and answers.");
  const { message, remedy } = trouble;
  return makeFinding("error", "database", message, {
    why: "Nothing of what Tazuna knows can be shown; agents work on, and their runs once it answers.",
    remedy,
  });
}

function notAskedFinding(address: string): Finding {
  return makeFinding("info", "database", `The database is a Postgres (${address}), which was not asked.`, {
    why: "Without an engine nothing is looked up over the network: what Tazuna knows of repositories and attempts is missing here.",
    remedy: "Run `tazuna list`, which starts an engine, then `tazuna doctor` again.",
  });
}

const OLDER = "The database is of an older Tazuna; the next engine brings it up to date.";

/** A copy is made before each change of the schema, so a young database has none. */
function backupFinding(file: string, [newest]: readonly string[]): Finding {
  return newest === undefined
    ? makeFinding("info", "backup", "There is no copy of the database yet.", {
        why: "One is made before each change of its form.",
        remedy: `While no engine works: \`cp ${shellWord(file)} ${shellWord(`${file}.copy`)}\`.`,
      })
    : makeFinding("ok", "backup", "There is a copy of the database.", { path: newest });
}

/** The damaged file is kept: some data may still be read from it. */
function putBack(file: string, [newest]: readonly string[]): string {
  const aside = `for f in ${shellWord(file)}*; do mv "$f" "$f.damaged"; done`;
  return newest === undefined
    ? `There is no copy. \`${aside}\` puts it aside, and the next command begins with an empty one.`
    : `\`${aside}; cp ${shellWord(newest)} ${shellWord(file)}\` puts it aside and the newest copy in its place.`;
}
