/** Tests whether a program can enforce a profile on this machine. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { exec } from "../utils/exec.ts";
import type { Confine } from "./profile.ts";

type Tried =
  | { readonly holds: true; readonly name: string }
  | { readonly holds: false /** In a few words. */; readonly flaw: string };

/** A busy machine needs seconds for a task of milliseconds. */
const LIMIT_MS = 30_000;

/**
 * Prints a line for each missing protection: `$1` is the folder of the attempt. Built-ins only, so it needs no PATH.
 */
const SCRIPT = [
  '(: > "$1/outside") 2>/dev/null && echo "it wrote where it must not"',
  '(: > "$1/inside/mark") 2>/dev/null || echo "it cannot write where it may"',
  '[ -e "$1/hidden/secret" ] && echo "it saw what is hidden"',
  "echo ended",
].join("\n");

/** A program with its own process table is one of the first in it. */
const OWN_PROCESSES = '[ "$$" -lt 100 ] || echo "it sees the processes of others"';

interface ProbeOptions {
  readonly confine: Confine;
  readonly ownProcesses: boolean;
  readonly scratch: string;
}

export async function probeSandbox(program: string, options: ProbeOptions): Promise<Tried> {
  const { scratch } = options;
  mkdirSync(scratch, { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(scratch, "sandbox-"));
  try {
    const flaw = await tryIn(folder, options);
    return flaw === null ? { holds: true, name: await nameOf(program) } : { holds: false, flaw };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Null if every protection works. */
async function tryIn(folder: string, { confine, ownProcesses }: ProbeOptions): Promise<string | null> {
  const inside = join(folder, "inside");
  const hidden = join(folder, "hidden");
  const temporary = join(folder, "tmp");
  const emptyFile = join(folder, "empty");
  for (const path of [inside, hidden, temporary]) mkdirSync(path);
  for (const path of [emptyFile, join(hidden, "secret")]) writeFileSync(path, "");
  const profile = { readOnly: [folder], writable: [inside], own: [], hidden: [hidden], temporary, emptyFile };
  const script = ownProcesses ? `${OWN_PROCESSES}\n${SCRIPT}` : SCRIPT;
  const argv = confine(["/bin/sh", "-c", script, "sh", folder], { ...profile, network: "shared" });
  const ran = await exec(argv, { cwd: "/", env: {}, timeoutMs: LIMIT_MS });
  if (!ran.started) return ran.error.message;
  const output = ran.stdout.trim();
  if (ran.code === 0 && output === "ended") return null;
  const [first = ""] = [
    ...output.split("\n").filter((line) => line !== "ended"),
    ...ran.stderr.trim().split("\n"),
  ].filter((line) => line !== "");
  return first === "" ? `it ended with exit code ${ran.code}` : first;
}

async function nameOf(program: string): Promise<string> {
  const ran = await exec([program, "--version"], { cwd: "/", env: {}, timeoutMs: LIMIT_MS });
  const [first = ""] = ran.started ? ran.stdout.trim().split("\n") : [];
  return first === "" ? program : first;
}
