/** Says what a registration of a worktree, a branch, or a private reference is. */
import { shellWord } from "../doctor/found.ts";
import { attemptOwner, type Explanation, explain, keyOf, type Owner, short } from "./explanation.ts";
import { isBelow, type Known } from "./known.ts";
import type { AttemptRecord, RegistrationFact, RepositoryLedger } from "./ledgers.ts";

const KEPT = "It is kept: nothing proves whose it is, and it may be the only way to work.";

/** Quoted, as the names behind it are: an agent may have chosen them, and a person copies the line into a shell. */
const gitIn = (commonDir: string) => `git --git-dir=${shellWord(commonDir)}`;

export function explainRegistration(fact: RegistrationFact, commonDir: string, known: Known): Explanation {
  const { path } = fact;
  const tell = (of: Pick<Explanation, "standing" | "what" | "why"> & Partial<Explanation>) =>
    explain({
      id: `registration:${commonDir}:${path}`,
      covers: [keyOf.registration(commonDir, path)],
      path,
      ...of,
    });
  const attempt = known.attemptAt.get(path);
  if (attempt !== undefined && known.commonDirOf(attempt) === commonDir)
    return tell(ofAttempt(fact, attempt, known.there.has(path)));
  if (fact.main || !isBelow(path, known.root))
    return tell({ standing: "theirs", what: path, why: "It is a worktree of the user's own." });
  return tell({
    standing: "unexplained",
    what: `${commonDir} has a worktree registered that no attempt of the database owns.`,
    why: KEPT,
    remedy: `\`${gitIn(commonDir)} worktree list\` shows all; \`${gitIn(commonDir)} worktree remove ${shellWord(path)}\` takes it away.`,
  });
}

/** A missing folder of a removed attempt leaves nothing that git would need the registration for. */
function ofAttempt(
  { path, branch, locked }: RegistrationFact,
  attempt: AttemptRecord,
  there: boolean,
): Pick<Explanation, "standing" | "what" | "why"> & Partial<Explanation> {
  const owner = attemptOwner(attempt.id);
  const what = `The registration of the worktree of attempt ${short(attempt.id)}.`;
  if (attempt.state !== "removed")
    return { standing: "in_use", what, why: "Its attempt is open, or its clean-up goes on.", owner };
  const why = there
    ? "Something lies in its place again."
    : locked
      ? "Somebody has locked it."
      : branch !== attempt.branch
        ? "Its HEAD was moved off the attempt's branch."
        : null;
  if (why !== null) return { standing: "kept", what, why, owner };
  return {
    standing: "stale",
    what,
    why: "Its attempt is removed and its folder is gone.",
    remedy: "The next start takes it away.",
    owner,
    repair: { act: "deregister", attempt: attempt.id, path },
  };
}

/** Those of one owner together: a restored database may not know of thousands. */
export function explainRefs({ commonDir, refs }: RepositoryLedger, known: Known): readonly Explanation[] {
  const byFolder = Map.groupBy([...refs].sort(), folderOf);
  return [...byFolder].map(([folder, names]) =>
    explain({
      id: `refs:${commonDir}:${folder}`,
      covers: names.map((name) => keyOf.ref(commonDir, name)),
      ...(folder.startsWith("refs/heads/")
        ? ofBranch(folder.slice("refs/heads/".length), commonDir, known)
        : ofPrivate(folder, names.length, { commonDir, known })),
    }),
  );
}

/** A branch stands for itself; `refs/tazuna/runs/RUN/before` belongs to `refs/tazuna/runs/RUN`. */
function folderOf(name: string): string {
  return name.startsWith("refs/tazuna/") ? name.split("/").slice(0, 4).join("/") : name;
}

type Telling = Pick<Explanation, "standing" | "what" | "why"> & Partial<Explanation>;

function ofPrivate(
  folder: string,
  count: number,
  { commonDir, known }: { readonly commonDir: string; readonly known: Known },
): Telling {
  const [, , kind, id = ""] = folder.split("/");
  const owner: Owner | null =
    kind === "snapshots" && known.attempts.has(id)
      ? attemptOwner(id)
      : kind === "runs" && known.runs.has(id)
        ? { type: "run", id }
        : null;
  if (owner !== null)
    return { standing: "kept", what: folder, why: "What was there before is read from it.", owner };
  return {
    standing: "unexplained",
    what: `${folder} (${count}) in ${commonDir} belongs to nothing that the database knows.`,
    why: KEPT,
    remedy: `\`${gitIn(commonDir)} for-each-ref ${shellWord(folder)}\` shows what it holds; \`${gitIn(commonDir)} for-each-ref --format='delete %(refname)' ${shellWord(folder)} | ${gitIn(commonDir)} update-ref --stdin\` deletes all of it.`,
  };
}

function ofBranch(name: string, commonDir: string, known: Known): Telling {
  const attempt = known.branchOwner(commonDir, name);
  if (attempt !== null) {
    const standing = attempt.state === "removed" ? "kept" : "in_use";
    const what = `The branch ${name}.`;
    const why = standing === "kept" ? "Its attempt is removed; the branch was kept." : "Its attempt is open.";
    return { standing, what, why, owner: attemptOwner(attempt.id) };
  }
  if (!name.startsWith("tazuna/"))
    return { standing: "theirs", what: `The branch ${name}.`, why: "It is a branch of the user's own." };
  return {
    standing: "unexplained",
    what: `The branch ${name} in ${commonDir} is named as Tazuna's are, and the database does not know it.`,
    why: KEPT,
    remedy: `\`${gitIn(commonDir)} log ${shellWord(name)}\` shows what is on it; \`${gitIn(commonDir)} branch -D ${shellWord(name)}\` deletes it.`,
  };
}
