/** Explains what a registration of a worktree, a branch, or a private reference is. */

import { someOf } from "../text/listed.ts";
import { shellWord } from "../text/shell-word.ts";
import {
  attemptOwner,
  type Explanation,
  explain,
  keyOf,
  type Owner,
  short,
  type Telling,
} from "./explanation.ts";
import { isBelow, type Known, nameOf } from "./known.ts";
import type { AttemptRecord, RegistrationFact, RepositoryLedger } from "./ledgers.ts";

const KEPT =
  "Kept, since nothing proves whose work this is. It may be another data folder's, or the only way to a person's work.";

/** Quoted, like the names after it. An agent may have chosen them, and a person copies the line into a shell. */
const gitIn = (commonDir: string) => `git --git-dir=${shellWord(commonDir)}`;

export function explainRegistration(fact: RegistrationFact, commonDir: string, known: Known): Explanation {
  const { path } = fact;
  const tell = (telling: Telling) =>
    explain({
      id: `registration:${commonDir}:${path}`,
      covers: [keyOf.registration(commonDir, path)],
      path,
      ...telling,
    });
  const attempt = known.attemptAt.get(path);
  if (attempt !== undefined && known.commonDirOf(attempt) === commonDir)
    return tell(ofAttempt(fact, attempt, known.there.has(path)));
  const elsewhere = known.elsewhere.get(nameOf(path));
  if (elsewhere !== undefined)
    return tell({
      standing: path === elsewhere.worktree ? "theirs" : "kept",
      what: `The registration of a worktree of attempt ${short(elsewhere.id)}.`,
      why: "Another data folder holds the attempt.",
      owner: attemptOwner(elsewhere.id),
    });
  if (fact.main || !isBelow(path, known.root))
    return tell({ standing: "theirs", what: path, why: "It is a worktree of the user's own." });
  return tell({
    standing: "unexplained",
    what: `${commonDir} has a worktree registered that no attempt of the database owns.`,
    why: KEPT,
    remedy: `\`${gitIn(commonDir)} worktree list\` shows all; \`${gitIn(commonDir)} worktree remove ${shellWord(path)}\` takes it away.`,
  });
}

/** If the folder of a removed attempt is missing, git does not need the registration. */
function ofAttempt(
  { path, branch, locked }: RegistrationFact,
  attempt: AttemptRecord,
  there: boolean,
): Telling {
  const owner = attemptOwner(attempt.id);
  const what = `The registration of the worktree of attempt ${short(attempt.id)}.`;
  if (attempt.state !== "removed")
    return { standing: "in_use", what, why: "Its attempt is open, or its clean-up goes on.", owner };
  const why = there
    ? "Something lies in its place again."
    : locked
      ? "A person or a program has locked it."
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

/** Those of one owner together: a restored database may not know thousands of them. */
export function explainRefs({ commonDir, refs }: RepositoryLedger, known: Known): readonly Explanation[] {
  const isUnknown = (ref: string) => isOurs(ref) && known.branchOwner(commonDir, branchOf(ref)) === null;
  const byFolder = Map.groupBy([...refs].sort(), (ref) => (isUnknown(ref) ? UNKNOWN : folderOf(ref)));
  const unknown = byFolder.get(UNKNOWN) ?? [];
  byFolder.delete(UNKNOWN);
  const isOwned = ([folder]: readonly [string, unknown]) =>
    !folder.startsWith(`${PRIVATE}/`) || privateOwner(folder, known) !== null;
  const [owned, lost] = [[...byFolder].filter(isOwned), [...byFolder].filter((each) => !isOwned(each))];
  return [
    ...owned.map(([folder, names]) => explainFolder(folder, { names, commonDir, known })),
    ...(lost.length === 0 ? [] : [lostReferences(lost, commonDir)]),
    ...(unknown.length === 0 ? [] : [unknownBranches(unknown, commonDir)]),
  ];
}

const PRIVATE = "refs/tazuna";
const UNKNOWN = "refs/heads/tazuna";
const isOurs = (ref: string) => ref.startsWith(`${UNKNOWN}/`);
const branchOf = (ref: string) => ref.slice("refs/heads/".length);

/** All of them in one finding: a restored database may not know thousands of them. */
function unknownBranches(refs: readonly string[], commonDir: string): Explanation {
  const [first = ""] = refs;
  const names = refs.map(branchOf);
  const some = someOf(names, MAX_NAMED);
  const isOne = refs.length === 1;
  const [git, it] = [gitIn(commonDir), isOne ? "it" : "them"];
  const what = isOne
    ? `The branch ${some} in ${commonDir} is named as Tazuna's are, and the database does not know it.`
    : `${refs.length} branches in ${commonDir} are named as Tazuna's are, and the database does not know them: ${some}.`;
  const words = names.map((name) => shellWord(name)).join(" ");
  return explain({
    id: `refs:${commonDir}:${isOne ? first : UNKNOWN}`,
    covers: refs.map((name) => keyOf.ref(commonDir, name)),
    standing: "unexplained",
    what,
    why: KEPT,
    remedy: `\`${git} log --oneline --no-walk ${words}\` shows what is on ${it}; \`${git} branch -D ${words}\` deletes ${it}.`,
  });
}

const MAX_NAMED = 5;

/** All of them in one finding too. */
function lostReferences(
  lost: readonly (readonly [folder: string, names: readonly string[]])[],
  commonDir: string,
): Explanation {
  const names = lost.flatMap(([, inFolder]) => inFolder);
  const folders = lost.map(([folder]) => folder);
  const some = someOf(folders, MAX_NAMED);
  const words = folders.map((folder) => shellWord(folder)).join(" ");
  const isOne = folders.length === 1;
  const git = gitIn(commonDir);
  const remedy = `\`${git} for-each-ref ${words}\` shows what ${isOne ? "it holds" : "they hold"}; \`${git} for-each-ref --format='delete %(refname)' ${words} | ${git} update-ref --stdin\` deletes all of ${isOne ? "it" : "them"}.`;
  return explain({
    id: `refs:${commonDir}:${isOne ? folders[0] : PRIVATE}`,
    covers: names.map((name) => keyOf.ref(commonDir, name)),
    standing: "unexplained",
    what: isOne
      ? `${some} (${names.length}) in ${commonDir} belongs to nothing that the database knows.`
      : `${names.length} references in ${commonDir} belong to nothing that the database knows: ${some}.`,
    why: KEPT,
    remedy,
  });
}

function explainFolder(folder: string, { names, commonDir, known }: FolderOfRefs): Explanation {
  const owner = privateOwner(folder, known);
  return explain({
    id: `refs:${commonDir}:${folder}`,
    covers: names.map((name) => keyOf.ref(commonDir, name)),
    ...(owner === null
      ? ofBranch(folder.slice("refs/heads/".length), commonDir, known)
      : { standing: "kept", what: folder, why: "What was there before is read from it.", owner }),
  });
}

interface FolderOfRefs {
  readonly names: readonly string[];
  readonly commonDir: string;
  readonly known: Known;
}

/** A branch stands for itself; `refs/tazuna/runs/RUN/before` belongs to `refs/tazuna/runs/RUN`. */
function folderOf(name: string): string {
  return name.startsWith(`${PRIVATE}/`) ? name.split("/").slice(0, 4).join("/") : name;
}

/** The owner of a folder of private references; null if the database knows none. */
function privateOwner(folder: string, known: Known): Owner | null {
  if (!folder.startsWith(`${PRIVATE}/`)) return null;
  const [, , kind, id = ""] = folder.split("/");
  if ((kind === "snapshots" || kind === "returned") && known.attempts.has(id)) return attemptOwner(id);
  return kind === "runs" && known.runs.has(id) ? { type: "run", id } : null;
}

function ofBranch(name: string, commonDir: string, known: Known): Telling {
  const attempt = known.branchOwner(commonDir, name);
  if (attempt !== null) {
    const standing = attempt.state === "removed" ? "kept" : "in_use";
    const what = `The branch ${name}.`;
    const why = standing === "kept" ? "Its attempt is removed; the branch was kept." : "Its attempt is open.";
    return { standing, what, why, owner: attemptOwner(attempt.id) };
  }
  return { standing: "theirs", what: `The branch ${name}.`, why: "It is a branch of the user's own." };
}
