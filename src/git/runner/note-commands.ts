/** Notes the git commands that write while an act goes on, so that a person can see what was run. */
import { AsyncLocalStorage } from "node:async_hooks";
import { shellWord } from "../../domain/text/shell-word.ts";

const WRITING = new Set(
  (
    "add am apply branch checkout checkout-index cherry-pick clean clone commit commit-tree fetch gc init lfs merge " +
    "mv notes pack-refs pull push read-tree rebase repack reset restore revert rm stash submodule switch tag " +
    "update-index update-ref worktree write-tree"
  ).split(" "),
);

/** An act rarely needs ten; each is a line for a person. */
const MAX_COMMANDS = 40;
const MAX_CHARS = 1_000;

const noting = new AsyncLocalStorage<string[]>();

/** Whatever `act` runs is added to `lines`, also what it waits for. */
export function noteCommandsIn<T>(lines: string[], act: () => Promise<T>): Promise<T> {
  return noting.run(lines, act);
}

/** Commands that only read are left out. `redact` takes secrets away. */
export function noteCommand(args: readonly string[], redact: (text: string) => string): void {
  const lines = noting.getStore();
  const [command = "", subcommand] = args;
  if (lines === undefined || lines.length >= MAX_COMMANDS) return;
  if (!WRITING.has(command) || (subcommand === "list" && command !== "lfs")) return;
  const line = redact(["git", ...args].map(shellWord).join(" "));
  lines.push(line.length > MAX_CHARS ? `${line.slice(0, MAX_CHARS)}…` : line);
}
