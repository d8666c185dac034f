/** Decides on one call of git inside an attempt: the real git may have it, or it is refused. */
import { findRealGit } from "./find-git.ts";
import { liesIn } from "./lies-in.ts";
import { type GuardedCall, readCall } from "./read-call.ts";

export interface GuardOptions {
  /** Absolute: the directory of objects and refs that only Tazuna writes. */
  readonly commonDir: string;
  /** Absolute: the folder that holds the guard's own `git`. */
  readonly folder: string;
  /** What follows `git`. */
  readonly words: readonly string[];
  /** Null where the working directory is gone. */
  readonly cwd: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export type GuardAnswer =
  /** Absolute path of the git to become. */
  | { readonly kind: "pass"; readonly git: string }
  /** `message` is what stderr is told, with its line breaks. */
  | { readonly kind: "refuse"; readonly code: number; readonly message: string };

/** As a shell says that there is no such program. */
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
  // Git says itself that it cannot work there.
  if (cwd === null) return { kind: "pass", git };
  const call = readCall(words, cwd);
  if (call.reads) return { kind: "pass", git };
  if (!call.isReadable) return refusal(call);
  // Loaded for what writes only: it is most of what this program loads.
  const { writtenPlaces } = await import("./written-places.ts");
  const places = await writtenPlaces(call, { git, cwd, env });
  return places.some((place) => liesIn(commonDir, place)) ? refusal(call) : { kind: "pass", git };
}

function refusal({ subcommand }: GuardedCall): GuardAnswer {
  const message = `tazuna: \`git ${subcommand}\` was refused: Tazuna alone writes git in this repository.
Just edit the files: they are committed when you are done. Commands that read work, and so does git in other repositories.
`;
  return { kind: "refuse", code: REFUSED, message };
}
