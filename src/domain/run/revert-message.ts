/** Writes the message of the commit that takes back what was merged, in git's own words. */
import { cutToColumns } from "../text/columns.ts";

interface Reverted {
  /** The subject of the commit that brought it in. */
  readonly subject: string;
  readonly commit: string;
  /** Where the branch was before. */
  readonly before: string;
  /** It was one commit with one parent. */
  readonly isSingle: boolean;
}

const SUBJECT_COLUMNS = 72;

export function revertMessage({ subject, commit, before, isSingle }: Reverted): string {
  const what = isSingle ? `commit ${commit}` : `commit ${commit}, reversing\nchanges made to ${before}`;
  return `${cutToColumns(`Revert "${subject}"`, SUBJECT_COLUMNS)}\n\nThis reverts ${what}.`;
}
