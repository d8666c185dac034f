/** Makes the data folder, or says why it cannot be one. */
import { constants } from "node:fs";
import { access, mkdir } from "node:fs/promises";

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
