/** Makes a git that dies of SIGKILL at a chosen call; all else is the real one. */
import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempDir } from "./temp-dir.ts";

export interface DoomedGit extends AsyncDisposable {
  /** A PATH on which it comes first. */
  readonly path: string;
  /** From now on: the `nth` call whose words hold this text dies, or every one. */
  doom(words: string, nth?: number | "all"): Promise<void>;
  /** No call dies any more. */
  spare(): Promise<void>;
  /** How many calls held the text since it was doomed. */
  calls(): Promise<number>;
}

export async function doomedGit(): Promise<DoomedGit> {
  const folder = await tempDir();
  const [doom, calls] = ["doom", "calls"].map((name) => join(folder.path, name)) as [string, string];
  await writeFile(
    join(folder.path, "git"),
    [
      "#!/bin/sh",
      `if read -r nth words 2> /dev/null < '${doom}'; then`,
      '  case " $* " in *"$words"*)',
      `    echo call >> '${calls}'`,
      `    if [ "$nth" = all ] || [ "$(wc -l < '${calls}')" -eq "$nth" ]; then kill -KILL $$; fi ;;`,
      "  esac",
      "fi",
      `exec '${Bun.which("git")}' "$@"`,
      "",
    ].join("\n"),
  );
  await chmod(join(folder.path, "git"), 0o755);
  const spare = async () => {
    for (const file of [doom, calls]) await rm(file, { force: true });
  };
  return {
    path: `${folder.path}:${process.env.PATH}`,
    doom: async (words, nth = 1) => {
      await spare();
      await writeFile(doom, `${nth} ${words}\n`);
    },
    spare,
    calls: async () => (await readFile(calls, "utf8").catch(() => "")).split("\n").length - 1,
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}
