/** Finds the places that a call of git would write. */
import { join, resolve } from "node:path";
import { parseCall } from "../domain/git-policy/parse/parse-call.ts";
import type { CommandTable } from "../domain/git-policy/table/command-table.ts";
import { allOperands, valuesOf } from "../domain/git-policy/table/command-table.ts";
import { INIT } from "../domain/git-policy/tables/write/init.ts";
import { CLONE } from "../domain/git-policy/tables/write/transfer.ts";
import { askingGit, type GitSurroundings } from "./ask-git.ts";
import { PUSHES, pushedPlaces } from "./pushed-places.ts";
import type { GuardedCall } from "./read-call.ts";

/** Commands that write files, the index and objects, and nothing else of a repository. */
const INDEX_ONLY: ReadonlySet<string> = new Set(["add", "apply", "mv", "rm", "stage", "update-index"]);

/**
 * Absolute; some of them may not be places of git. Empty if there is no repository to write. Null if the call does
 * not clearly say which place.
 */
export async function writtenPlaces(
  call: GuardedCall,
  surroundings: GitSurroundings,
): Promise<readonly string[] | null> {
  const cwd = resolve(surroundings.cwd, ...call.folders);
  const gitDir = gitDirOf(call, surroundings);
  const made = gitDir === null ? [] : [resolve(cwd, gitDir)];
  if (call.subcommand === "init") return [...made, ...madePlaces(INIT, { at: 0, unnamed: "." }, call, cwd)];
  if (call.subcommand === "clone") return [...made, ...madePlaces(CLONE, { at: 1, unnamed: NEW }, call, cwd)];
  const named = call.subcommand === "config" ? configFiles(call, surroundings.env, cwd) : [];
  const ask = askingGit(surroundings);
  const question = ["--git-common-dir", NEXT, "--git-path", "index", NEXT, "--git-path", "objects"];
  const answer = await ask([...call.globals, "rev-parse", "--path-format=absolute", ...question]);
  if (answer === null) return named;
  const kept = [...named, ...answer.split(`\n${NEXT}\n`)];
  // Without the shared directory, which is the first: such a command writes no reference.
  if (INDEX_ONLY.has(call.subcommand ?? "")) return kept.slice(1);
  if (!PUSHES.has(call.subcommand ?? "")) return kept;
  const pushed = await pushedPlaces(call, cwd, ask);
  return pushed === null ? null : [...kept, ...pushed];
}

/** Separates the answers: `rev-parse` prints an unknown option unchanged, and a path may hold a line break. */
const NEXT = "--tazuna-next";

/** Every word may be the file, because there are several spellings for it. */
function configFiles({ args }: GuardedCall, env: GitSurroundings["env"], cwd: string): readonly string[] {
  const files = [...args.map((word) => word.replace(/^(?:--[a-z]+=|-f)/, "")), env.GIT_CONFIG];
  return [...files, env.GIT_CONFIG_GLOBAL, env.GIT_CONFIG_SYSTEM].flatMap((file) =>
    file ? [resolve(cwd, file)] : [],
  );
}

function gitDirOf({ globals }: GuardedCall, { env }: GitSurroundings): string | null {
  const at = globals.findLastIndex((word) => /^--git-dir(=|$)/.test(word));
  const word = globals[at];
  if (word === undefined) return env.GIT_DIR || null;
  return word.startsWith("--git-dir=") ? word.slice("--git-dir=".length) : (globals[at + 1] ?? null);
}

/** For a folder that clone names after its source. It must be a new one. */
const NEW = "tazuna-new";

/**
 * A new repository belongs to no other; an existing one is written. If the call cannot be parsed, every word may be a
 * folder.
 */
function madePlaces(
  { options }: CommandTable,
  { at, unnamed }: { readonly at: number; readonly unnamed: string },
  { subcommand, args }: GuardedCall,
  cwd: string,
): readonly string[] {
  const named = parseCall(subcommand ?? "", args, { options, endOfOptions: true }).match(
    (call) => [allOperands(call)[at] ?? unnamed, ...valuesOf(call, "separate-git-dir")],
    () => [".", ...args],
  );
  return named.map((path) => resolve(cwd, path)).flatMap((path) => [path, join(path, ".git")]);
}
