/** Decides on one call of git inside an attempt: pass it to the real git, or refuse it. */
import { findRealGit } from "./find-git.ts";
import { liesIn } from "./lies-in.ts";
import { type GuardedCall, readCall } from "./read-call.ts";

export interface GuardOptions {
  /** Absolute: the directory of objects and refs that only Tazuna writes. */
  readonly commonDir: string;
  /** Absolute: the folder that holds the guard's own `git`. */
  readonly folder: string;
  /** The words after `git`. */
  readonly words: readonly string[];
  /** Null if the working directory is gone. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type GuardAnswer =
  /** Absolute path of the git that replaces this process. */
  | { readonly kind: "pass"; readonly git: string }
  /** `message` is the text for stderr, with its line breaks. */
  | { readonly kind: "refuse"; readonly code: number; readonly message: string };

/** The exit code of a shell for a missing program. */
const NOT_FOUND = 127;
export const REFUSED = 1;

export async function guardGit({ commonDir, folder, words, cwd, env }: GuardOptions): Promise<GuardAnswer> {
  const turns = env.TAZUNA_GUARD_TURNS?.length ?? 0;
  const git = findRealGit({ path: env.PATH ?? "", folder, turns });
  if (git === null)
    return {
      kind: "refuse",
      code: NOT_FOUND,
      message: "tazuna: there is no git on the PATH behind the guard.\n",
    };
  // Git itself reports that it cannot work there.
  if (cwd === null) return { kind: "pass", git };
  const call = readCall(words, cwd);
  if (mayOpen(call)) {
    const { openedByCall } = await import("./opened-places.ts");
    const flaw = await openedByCall(call, { git, cwd, env, commonDir });
    if (flaw !== null) return unsafeUrl(call, flaw);
  }
  if (call.reads) return { kind: "pass", git };
  const person = env[PERSONS_TERMINAL] === undefined ? null : (env.TAZUNA_ATTEMPT ?? "");
  if (!call.isReadable) return refusal(call, { person });
  // Imported only for commands that write: it is most of the code that this program loads.
  const { writtenPlaces } = await import("./written-places.ts");
  const places = await writtenPlaces(call, { git, cwd, env });
  const isOurs = places === null || places.some((place) => liesIn(commonDir, place));
  return isOurs ? refusal(call, { person }) : { kind: "pass", git };
}

/** Checks only calls that would otherwise pass. A fetch or a push of the attempt's repository is refused anyway. */
function mayOpen({ reads, subcommand }: GuardedCall): boolean {
  return reads
    ? subcommand === "ls-remote" || subcommand === "archive" || subcommand === "remote"
    : subcommand === "clone";
}

function unsafeUrl({ subcommand }: GuardedCall, flaw: string): GuardAnswer {
  const message = `tazuna: \`git ${subcommand}\` was refused (UNSAFE_URL): ${flaw}
Name a configured remote, or an https:// or ssh:// address. Repositories that tests make belong into a temporary folder.
`;
  return { kind: "refuse", code: REFUSED, message };
}

/** Marks the processes of a terminal that a person opened in the worktree. */
const PERSONS_TERMINAL = "TAZUNA_TERMINAL_ID";

/** `person`: the attempt in whose terminal a person typed it; null for an agent. */
function refusal({ subcommand }: GuardedCall, { person }: { readonly person: string | null }): GuardAnswer {
  const how = person === null ? FOR_AGENTS : insteadOf(subcommand ?? "", person.slice(0, 8));
  const message = `tazuna: \`git ${subcommand}\` was refused: Tazuna alone writes git in this repository.
${how} Commands that read work, and so does git in other repositories.
`;
  return { kind: "refuse", code: REFUSED, message };
}

const FOR_AGENTS = "Just edit the files: they are committed when you are done.";

/** What a person does in place of the command: in the control room or in an own terminal. */
function insteadOf(subcommand: string, attempt: string): string {
  switch (subcommand) {
    case "push":
    case "send-pack":
      return `"Ship" (\`tazuna publish ${attempt}\`) pushes the branch.`;
    case "merge":
    case "rebase":
    case "pull":
    case "cherry-pick":
      return `"Ship" (\`tazuna merge ${attempt}\`) merges the attempt.`;
    case "checkout":
    case "clean":
    case "reset":
    case "restore":
    case "revert":
    case "stash":
    case "switch":
      return 'The menu of each run has "Put the files back to here".';
    default:
      return `What you change here is shown as your own edits; "Commit my edits" (\`tazuna continue ${attempt}\`) commits them.`;
  }
}
