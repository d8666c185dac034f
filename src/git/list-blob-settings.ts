/** Reads a stored file of settings (`.gitmodules`, `.lfsconfig`) as git itself reads it. */
import type { Result } from "neverthrow";
import type { GitError } from "./git-error.ts";
import { fromNul } from "./nul-list.ts";
import type { Git, GitTarget } from "./run-git.ts";

/** Every key with its value, in order; null where git cannot read the file. Nothing that it includes is read. */
export async function listBlobSettings(
  git: Git,
  target: GitTarget,
  blob: string,
): Promise<Result<readonly { readonly key: string; readonly value: string }[] | null, GitError>> {
  const listed = await git.run(target, ["config", "--blob", blob, "--null", "--list"], {
    access: "objects",
    expect: [0, 1, 3, 128],
  });
  return listed.map(({ exitCode, stdout }) => (exitCode === 0 ? fromNul(stdout).map(settingOf) : null));
}

/** The value stands after a line feed; a key without one means true. */
function settingOf(entry: string): { readonly key: string; readonly value: string } {
  const end = entry.indexOf("\n");
  return end < 0 ? { key: entry, value: "true" } : { key: entry.slice(0, end), value: entry.slice(end + 1) };
}
