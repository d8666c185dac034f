/** Explains what a thing in the trash is, or among the ignored files that were kept. */
import { attemptOwner, type Explanation, LOOK, short, tell, unexplained } from "./explanation.ts";
import type { Known } from "./known.ts";
import type { DiskFact } from "./ledgers.ts";

export function explainTrash(fact: DiskFact, { putAside, attempts }: Known): Explanation {
  const act = putAside.get(fact.path);
  if (act === undefined)
    return unexplained(fact, "Something lies in the trash that the journal did not put there.");
  const owner = attempts.has(act.attemptId) ? attemptOwner(act.attemptId) : null;
  if (fact.kind !== "folder")
    return unexplained(fact, `A ${fact.kind} lies where the journal put a folder.`, { owner });
  const named = `attempt ${short(act.attemptId)}`;
  switch (act.as) {
    case "entry":
      return tell(fact, {
        standing: "kept",
        what: `The worktree of ${named}, in the trash.`,
        why: "It goes 14 days after it was put there, if its snapshot holds all of it.",
        remedy: `\`tazuna trash restore ${short(act.attemptId)}\` brings it back; \`tazuna trash empty\` says what may go now.`,
        owner,
      });
    case "copy":
      return tell(fact, {
        standing: "kept",
        what: `A copy of the worktree of ${named} that is not whole.`,
        why: "The worktree stays in its place until the copy is whole. The next try begins it anew.",
        owner,
      });
    case "purge":
      return onItsWayOut(fact, act, owner);
    case "clone":
      return cloneOnItsWayOut(fact, act);
    case "half_made":
      return tell(fact, {
        standing: "kept",
        what: `What a crash left of making the worktree of ${named}.`,
        why: "It is in no snapshot, so nothing deletes it by itself.",
        remedy: LOOK,
        owner,
      });
  }
}

function onItsWayOut(
  fact: DiskFact,
  act: { readonly operation: string; readonly status: string; readonly attemptId: string },
  owner: Explanation["owner"],
): Explanation {
  const what = `The rest of a worktree of attempt ${short(act.attemptId)} that was deleted from the trash.`;
  if (act.status === "intended")
    return tell(fact, { standing: "kept", what, why: "Its deletion goes on.", owner });
  if (act.status === "failed")
    return tell(fact, {
      standing: "unfinished",
      what,
      why: "Its deletion failed half-way, so it did not go back to its place. Its snapshot holds what git knows; ignored files may lie here alone.",
      remedy: "`tazuna trash empty --yes` tries again.",
      owner,
    });
  const repair = { act: "finish_purge", operation: act.operation, path: fact.path } as const;
  const why = "It was proven to be ours, dead and in a snapshot before it was taken out.";
  return tell(fact, { standing: "stale", what, why, remedy: "The next start deletes it.", owner, repair });
}

function cloneOnItsWayOut(
  fact: DiskFact,
  act: { readonly operation: string; readonly status: string },
): Explanation {
  const what = "A clone that went for room on the disk.";
  if (act.status === "intended")
    return tell(fact, { standing: "kept", what, why: "Its deletion goes on.", owner: null });
  const repair = { act: "finish_purge", operation: act.operation, path: fact.path } as const;
  const why = "Its remote had all of it before it was taken away.";
  return tell(fact, {
    standing: "stale",
    what,
    why,
    remedy: "The next start deletes it.",
    owner: null,
    repair,
  });
}

/** Named after the entry of the trash from which it was kept when the rest was deleted. */
export function explainIgnored(fact: DiskFact, { putAsideBy, attempts }: Known): Explanation {
  const act = putAsideBy.get(fact.name);
  if (act?.as !== "entry")
    return unexplained(fact, "Files that were kept of no entry that the trash ever had.");
  return tell(fact, {
    standing: "kept",
    what: `Ignored files of attempt ${short(act.attemptId)}, whose worktree was deleted from the trash.`,
    why: "A person may have written them, and no snapshot holds them.",
    remedy: LOOK,
    owner: attempts.has(act.attemptId) ? attemptOwner(act.attemptId) : null,
  });
}
