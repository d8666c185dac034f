/** Writes one text file, whole or not at all. */
import { lstatSync } from "node:fs";
import { err, ok, type Result } from "neverthrow";
import { failure, type ToolRefusal } from "../../core/result.ts";
import { refuseGitDirectory } from "../../files/git-directory.ts";
import type { Place } from "../../files/place.ts";
import { relativePath } from "../../files/relative-path.ts";
import { writeIntoPlace } from "../../files/write-into-place.ts";
import type { WriteFileOutput } from "./contract.ts";

interface FileToWrite extends Place {
  readonly content: string;
  readonly mode: "write" | "create" | "replace";
}

export async function writeTextFile(file: FileToWrite): Promise<Result<WriteFileOutput, ToolRefusal>> {
  const { root, path, content, mode } = file;
  const guarded = refuseGitDirectory(root, path);
  if (guarded !== null) return err(guarded);
  const shown = relativePath(root, path);
  if (mode === "replace" && lstatSync(path, { throwIfNoEntry: false }) === undefined)
    return err(failure("NOT_FOUND", `${shown} does not exist.`, { details: { path: shown } }));
  const existing = mode === "create" ? "refuse" : "replace";
  const written = await writeIntoPlace({ root, path }, content, { existing });
  return written.andThen(({ created }) =>
    ok({ path: shown, created, bytes_written: Buffer.byteLength(content) }),
  );
}
