/** Keeps what a data folder got when it joined a server: the address of the Postgres with a login (`worker.json`). */
import { readFile } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Entity } from "../../domain/entity.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";

const workerFile = z.object({
  /** Where the server was reached. */
  server: z.string(),
  /** The name that it gave. */
  name: z.string(),
  /** The address of the Postgres with a login. Sandboxed programs do not see this file. */
  database: z.string().regex(/^postgres(ql)?:\/\//),
  /** The login is that of the server. */
  shared: z.boolean(),
  /** Runs may work without a sandbox here, so that their agents could read this file. */
  allow_guard: z.boolean(),
  joined_at: z.string(),
});
export type WorkerFile = Entity<typeof workerFile>;

export interface WorkerFileError {
  readonly code: "worker_file_unusable";
  readonly message: string;
  readonly remedy: string;
}

/** Null if this folder has joined no server. A folder that is a file, or not there, has joined none either. */
export async function readWorkerFile(path: string): Promise<Result<WorkerFile | null, WorkerFileError>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "";
    return code === "ENOENT" || code === "ENOTDIR"
      ? ok(null)
      : err(unusable(path, `cannot be read (${code})`));
  }
  const read = workerFile.safeParse(jsonOf(text));
  return read.success ? ok(read.data) : err(unusable(path, "is damaged"));
}

/** Only its owner may read it. */
export async function writeWorkerFile(path: string, file: WorkerFile): Promise<void> {
  await writeFileAtomic(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function unusable(path: string, how: string): WorkerFileError {
  return {
    code: "worker_file_unusable",
    message: `The file ${path}, by which this worker finds its Postgres, ${how}.`,
    remedy: `Bring a copy back. Or \`rm ${shellWord(path)}\`, then join again: \`tazuna workers invite\` on the server prints the command.`,
  };
}
