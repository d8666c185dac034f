/** Searches a shell line, before an agent runs it, for calls of git that would be refused. */
import { basename, resolve } from "node:path";
import { readGlobalOptions } from "../domain/git-policy/argv/global-options.ts";
import { type GuardOptions, guardGit, REFUSED } from "./guard-git.ts";
import { shellCommands } from "./shell-commands.ts";

interface JudgedShell extends Omit<GuardOptions, "words" | "cwd"> {
  readonly text: string;
  /** Absolute. */
  readonly cwd: string;
}

/** Words before a command that do not change which command runs. */
const IN_FRONT = new Set([
  ...["!", "{", "if", "then", "else", "elif", "while", "until", "do", "time"],
  ...["command", "exec", "env", "nohup", "sudo"],
]);
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=([\s\S]*)$/;
const SHELL = /^(?:ba|da|z|k)?sh$/;
/** A shell in a shell in a shell. */
const DEEPEST = 3;

/** The text for the agent; null if there is no objection. It helps well-meaning agents; no protection depends on it. */
export async function judgeShell(shell: JudgedShell, depth = 0): Promise<string | null> {
  let { cwd } = shell;
  for (const { words } of shellCommands(shell.text)) {
    const { program, args, set } = commandOf(words);
    if (program === "cd" || program === "pushd") {
      const [to] = args;
      // The target depends on the shell's state, so the working directory is unknown from here on.
      if (typeof to !== "string") return null;
      cwd = resolve(cwd, to);
    }
    // It may name another repository for all later commands.
    if (program === "export" && args.some((word) => word === null || word.startsWith("GIT_"))) return null;
    const inner = SHELL.test(program) && depth < DEEPEST ? innerText(args) : null;
    const here = { ...shell, cwd, env: { ...shell.env, ...set } };
    if (inner !== null) {
      const verdict = await judgeShell({ ...here, text: inner }, depth + 1);
      if (verdict !== null) return verdict;
    }
    const call = program === "git" ? gitCall(args) : null;
    if (call === null) continue;
    const answer = await guardGit({ ...here, words: call });
    if (answer.kind === "refuse" && answer.code === REFUSED) return answer.message;
  }
  return null;
}

/** Replaces a word that only the shell knows: not a path, and not a name of anything. */
const UNKNOWN = "unknown";

/** The words after `git`. Null if only the shell knows the command or its folder. */
function gitCall(args: readonly (string | null)[]): readonly string[] | null {
  const words = args.map((word) => word ?? UNKNOWN);
  const { rest } = readGlobalOptions(words);
  return args.slice(0, words.length - rest.length + 1).includes(null) ? null : words;
}

function commandOf(words: readonly (string | null)[]): {
  readonly program: string;
  readonly args: readonly (string | null)[];
  readonly set: Readonly<Record<string, string>>;
} {
  const set: Record<string, string> = {};
  for (const [at, word] of words.entries()) {
    const [, name, value = ""] = ASSIGNMENT.exec(word ?? "") ?? [];
    if (name !== undefined) set[name] = value;
    else if (word === null || !IN_FRONT.has(word))
      return { program: basename(word ?? ""), args: words.slice(at + 1), set };
  }
  return { program: "", args: [], set };
}

function innerText(args: readonly (string | null)[]): string | null {
  const flag = args.findIndex((word) => /^-[a-z]*c$/.test(word ?? ""));
  return flag < 0 ? null : (args[flag + 1] ?? null);
}
