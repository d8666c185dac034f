/** Chooses the shell of a terminal. The person's own start files leave the guard's git in front of the PATH. */
import { mkdir, stat, writeFile } from "node:fs/promises";
import { basename, isAbsolute, join } from "node:path";
import { bashEnvText } from "../../guard/shim.ts";

interface PersonShell {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const FALLBACKS = ["/bin/bash", "/bin/sh"];

/**
 * The shell that `SHELL` names. What is typed in the terminal is kept in no history. Shells other than bash, zsh and
 * the plain ones start as they are.
 */
export async function personShell(
  env: Readonly<Record<string, string>>,
  /** Absolute: the folder of the guard's git, which gets the start files too. */
  { folder }: { readonly folder: string },
): Promise<PersonShell> {
  const shell = await firstProgram([env.SHELL ?? "", ...FALLBACKS]);
  const home = env.HOME ?? "/nonexistent";
  const startFile = (before: string | null) => `${bashEnvText({ folder, before })}unset HISTFILE\n`;
  const write = async (path: string, text: string) => writeFile(path, text, { mode: 0o600 });
  if (basename(shell) === "bash") {
    const file = join(folder, "bashrc");
    await write(file, startFile(join(home, ".bashrc")));
    return { argv: [shell, "--rcfile", file, "-i"], env: {} };
  }
  if (basename(shell) === "zsh") {
    const place = join(folder, "zsh");
    await mkdir(place, { recursive: true, mode: 0o700 });
    await write(join(place, ".zshrc"), `unset ZDOTDIR\n${startFile(join(home, ".zshrc"))}`);
    return { argv: [shell, "-i"], env: { ZDOTDIR: place } };
  }
  const file = join(folder, "shrc");
  await write(file, startFile(env.ENV || null));
  return { argv: [shell, "-i"], env: { ENV: file } };
}

/** The last one if none is there. */
async function firstProgram(paths: readonly string[]): Promise<string> {
  for (const path of paths)
    if (isAbsolute(path) && (await stat(path).catch(() => null))?.isFile() === true) return path;
  return FALLBACKS.at(-1) ?? "";
}
