/** The icon of a kind of operation; its words stand beside it. */
import {
  ArrowUp,
  Camera,
  Check,
  Download,
  Folder,
  GitBranch,
  GitCommitHorizontal,
  GitMerge,
  GitPullRequest,
  Trash2,
  Undo2,
  Wrench,
} from "lucide-react";

const ICONS = [
  [/^push$/, ArrowUp],
  [/^(fetch|clone)$/, Download],
  [/^(snapshot|tree_kept)$/, Camera],
  [/^commit$/, GitCommitHorizontal],
  [/merge|^apply$/, GitMerge],
  [/^pull_request_/, GitPullRequest],
  [/^trash$|purge|_delete$|^clean$|demo_remove/, Trash2],
  [/undo|restore/, Undo2],
  [/^branch/, GitBranch],
  [/^(choose|allow|leave_out|take_in|take_back)$/, Check],
  [/^worktree_add$/, Folder],
] as const;

export function KindIcon({ kind }: { readonly kind: string }) {
  const Icon = ICONS.find(([pattern]) => pattern.test(kind))?.[1] ?? Wrench;
  return <Icon size={14} aria-hidden="true" className="flex-none text-ink-3" />;
}
