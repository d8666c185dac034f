/** Writes the message of the commit that brings an attempt into its target. */
import { commitMessage } from "./commit-message.ts";

interface MergeMessageParts extends Omit<Parameters<typeof commitMessage>[0], "message"> {
  readonly branch: string;
  readonly target: string;
  /** One plain commit instead of a merge. */
  readonly squash: boolean;
}

/** A squash has the words of a run's commit; a merge names the branch as git does, then the instruction. */
export function mergeMessage({ branch, target, squash, ...parts }: MergeMessageParts): string {
  const own = commitMessage({ ...parts, message: null });
  if (squash) return own;
  const [subject = ""] = own.split("\n");
  const message = `Merge branch '${branch}' into ${target}\n\n${subject}`;
  return commitMessage({ ...parts, message });
}
