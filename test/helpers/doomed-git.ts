/** Makes a git that dies of SIGKILL at a chosen call; all else is the real one. */
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "./temp-dir.ts";

export interface DoomedGit extends AsyncDisposable {
  /** A PATH on which it comes first. */
  readonly path: string;
  /**
   * From now on: the `nth` call whose words hold this text dies, or every one. `last` is what it does before: commands of a
   * shell, `$git_dir` being the git directory it was given.
   */
  doom(words: string, nth?: number | "all", last?: string): Promise<void>;
  /** No call dies any more. */
  spare(): Promise<void>;
  /** How many calls held the text since it was doomed. */
  calls(): Promise<number>;
}

export async function doomedGit(): Promise<DoomedGit> {
  const folder = await tempDir();
  const files = ["doom", "calls", "last"].map((name) => join(folder.path, name));
  const [doom, calls, lastWill] = files as [string, string, string];
  await writeFile(
    join(folder.path, "git"),
    [
      "#!/bin/sh",
      `if read -r nth words 2> /dev/null < '${doom}'; then`,
      '  case " $* " in *"$words"*)',
      `    echo call >> '${calls}'`,
      `    if [ "$nth" = all ] || [ "$(wc -l < '${calls}')" -eq "$nth" ]; then`,
      `      for word in "$@"; do case "$word" in --git-dir=*) git_dir="\${word#--git-dir=}" ;; esac; done`,
      `      . '${lastWill}'; kill -KILL $$`,
      "    fi ;;",
      "  esac",
      "fi",
      `exec '${Bun.which("git")}' "$@"`,
      "",
    ].join("\n"),
  );
  await chmod(join(folder.path, "git"), 0o755);
  const spare = async () => {
    for (const file of files) await rm(file, { force: true });
  };
  return {
    path: `${folder.path}:${process.env.PATH}`,
    doom: async (words, nth = 1, last = ":") => {
      await spare();
      await writeFile(lastWill, `${last}\n`);
      await writeFile(doom, `${nth} ${words}\n`);
    },
    spare,
    calls: async () => (await readFile(calls, "utf8").catch(() => "")).split("\n").length - 1,
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}
