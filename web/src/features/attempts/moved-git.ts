/** Counts what an agent moved in git by itself, from the notes of its run: refs, settings, hooks. */
import type { RunDocument } from "@contract/task-document.ts";

interface MovedGit {
  readonly refs: number;
  readonly settings: number;
  readonly hooks: number;
  /** Nothing was moved. */
  readonly isClean: boolean;
}

export function movedGit({ notes }: Pick<RunDocument, "notes">): MovedGit {
  const count = (...codes: readonly string[]) => notes.filter(({ code }) => codes.includes(code)).length;
  const refs = count("foreign_ref_moved", "agent_commit_undone");
  const settings = count("git_settings_changed", "agent_settings_changed");
  const hooks = count("foreign_file_changed");
  return { refs, settings, hooks, isClean: refs + settings + hooks === 0 };
}
