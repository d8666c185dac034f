/** Knows where everything lies under the data folder (seed 003 Folders). */
import { join } from "node:path";

export interface DataPaths {
  readonly root: string;
  readonly database: string;
  readonly config: string;
  /** The name of this data folder in the database. */
  readonly workerId: string;
  /** What a server gave it when it joined; absent if it joined none. */
  readonly workerFile: string;
  /** How long the agents of its runs may work; absent if no other worker could take them. */
  readonly leaseFile: string;
  readonly serverFile: string;
  readonly serverLog: string;
  readonly backups: string;
  readonly worktrees: string;
  readonly trash: string;
  /** Ignored files of worktrees that were deleted for good, one folder for each. */
  readonly ignored: string;
  /** When each entry of the trash was found due. */
  readonly trashLooks: string;
  /** Up to which fact people were notified. */
  readonly notified: string;
  /** Since when old logs could not be moved into object storage. */
  readonly logMoves: string;
  readonly demos: string;
  /** Clones that Tazuna made from an address, each in a folder with its id. */
  readonly workspaces: string;
  /** Temporary files of the running engine; emptied at its start. */
  readonly scratch: string;
  /** One folder for each open terminal; what an engine finds there at its start was left by an earlier one. */
  readonly terminals: string;
  /** Which settings of each repository's git are the user's own. */
  readonly gitSettings: string;
  /** What is stored for one attempt outside of the database. */
  attempt(attemptId: string): string;
  /** The folder of one run: raw stream, keeper and exit files, prompt. */
  run(runId: string): string;
}

/** The layout under `root`, an absolute path. */
export function dataPaths(root: string): DataPaths {
  return {
    root,
    database: join(root, "tazuna.db"),
    config: join(root, "config.json"),
    workerId: join(root, "worker-id"),
    workerFile: join(root, "worker.json"),
    leaseFile: join(root, "lease.json"),
    serverFile: join(root, "server.json"),
    serverLog: join(root, "server.log"),
    backups: join(root, "backups"),
    worktrees: join(root, "worktrees"),
    trash: join(root, "trash"),
    ignored: join(root, "ignored"),
    trashLooks: join(root, "trash-looks.json"),
    notified: join(root, "notified.json"),
    logMoves: join(root, "log-moves.json"),
    demos: join(root, "demos"),
    workspaces: join(root, "workspaces"),
    scratch: join(root, "scratch"),
    terminals: join(root, "terminals"),
    gitSettings: join(root, "git-settings"),
    attempt: (attemptId) => join(root, "attempts", attemptId),
    run: (runId) => join(root, "runs", runId),
  };
}
