/** Describes which commit an attempt starts from, and how the person's checkout differs from it. */
import type { AttemptDocument, ListedTask } from "../task-document.ts";

/** The checkout is compared when an attempt begins. Later reports use `then`, since the person works on in it. */
export type BaseTense = "now" | "then";

/** Such as `origin/main d129322; your checkout is 2 commits ahead`; null before the base is known. */
export function baseWords(
  { base: { sha, branch }, started_from: from }: Pick<AttemptDocument, "base" | "started_from">,
  tense: BaseTense,
): string | null {
  if (sha === null) return null;
  const name = from?.name ?? branch ?? sha;
  const commit = sha.startsWith(name) ? sha.slice(0, 7) : `${name} ${sha.slice(0, 7)}`;
  if (from === null) return commit;
  if (from.from_worktree) return `${commit}, with what is not committed in your checkout`;
  const apart = from.ahead === null || from.behind === null ? null : apartWords(from.ahead, from.behind);
  if (apart === null) return commit;
  return `${commit}; your checkout ${tense === "now" ? `is ${apart}` : `was ${apart} then`}`;
}

/** The base that an attempt began from in place of its task's; null if it is that one. */
export function ownBase(
  { base }: Pick<ListedTask, "base">,
  { started_from: from }: Pick<AttemptDocument, "started_from">,
): string | null {
  if (base === null || from === null || from.from_worktree) return null;
  const { name } = from;
  // The task's is as it was typed: without its remote, with its whole path, or a part of a commit's id.
  const isSame = name === base || name.endsWith(`/${base}`) || base.endsWith(`/${name}`);
  return isSame || (/^[0-9a-f]{40,}$/.test(name) && name.startsWith(base)) ? null : name;
}

function apartWords(ahead: number, behind: number): string {
  if (ahead === 0 && behind === 0) return "at the same commit";
  if (behind === 0) return `${commits(ahead)} ahead`;
  if (ahead === 0) return `${commits(behind)} behind`;
  return `${commits(ahead)} ahead and ${behind} behind`;
}

function commits(count: number): string {
  return count === 1 ? "1 commit" : `${count} commits`;
}
