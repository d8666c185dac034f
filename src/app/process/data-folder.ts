/** Makes the data folder, or says why it cannot be one; knows the name that it has in leases. */
import { constants } from "node:fs";
import { access, mkdir, readFile } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import { newId } from "../../utils/values/ids.ts";

export interface DataFolderError {
  readonly code: "data_folder_unusable";
  readonly message: string;
  readonly remedy: string;
}

/** Null once `home` (absolute) is a folder that can be written to. */
export async function makeDataFolder(home: string): Promise<DataFolderError | null> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await access(home, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return {
      code: "data_folder_unusable",
      message: `The data folder ${home} ${reasonOf(error)}.`,
      remedy: "Set TAZUNA_HOME to a folder that you may write to.",
    };
  }
}

function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  if (code === "EEXIST") return "is not a folder";
  if (code === "ENOTDIR") return "lies below something that is not a folder";
  return code === "EACCES" || code === "EROFS" || code === "EPERM"
    ? `cannot be written to (${code})`
    : `cannot be made (${code})`;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The id in this file, which is made if it is missing or damaged. The caller holds the lock of the data folder. If it
 * cannot be written, a new id lasts as long as the process: enough for leases. With `mustLast` that is refused: rows
 * name the id, and nobody would own them afterwards (ADR 0081).
 */
export async function readWorkerId(
  file: string,
  { mustLast }: { readonly mustLast: boolean },
): Promise<Result<string, DataFolderError>> {
  const known = (await readFile(file, "utf8").catch(() => "")).trim();
  if (ID.test(known)) return ok(known);
  const id = newId();
  const trouble = await writeFileAtomic(file, `${id}\n`).then(
    () => null,
    (error: unknown) => reasonOf(error),
  );
  if (trouble === null || !mustLast) return ok(id);
  return err({
    code: "data_folder_unusable",
    message: `The file ${file}, by which a Postgres knows this data folder, ${trouble}.`,
    remedy: "See to the disk and to that file, then start it again.",
  });
}
