/** Turns the files that a person leaves out of the commit into a record: only files that the gate has shown to them. */
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import type { Attempt } from "../../domain/attempt/attempt.ts";
import type { LeftOut } from "../../domain/publish/left-out.ts";
import type { Run } from "../../domain/run/run.ts";
import type { Uses } from "../core/context-parts.ts";
import { askedBy } from "../core/journal.ts";
import { type Refusal, refuse, refused, shortId } from "../core/refusal.ts";
import { readMergeHead } from "../run-core/record-start.ts";
import { worktreeTarget } from "../run-core/targets.ts";

const shown = z.object({
  findings: z
    .array(
      z.object({ rule: z.string(), path: z.string(), message: z.string(), blob: z.string().exactOptional() }),
    )
    .default([]),
});

/** Empty if nothing is to be left out. `last` is the run whose findings were shown. */
export async function leftOutFor(
  context: Uses<"git" | "clock" | "actor">,
  paths: readonly string[],
  { attempt, last }: { readonly attempt: Attempt; readonly last: Run },
): Promise<Result<readonly LeftOut[], Refusal>> {
  if (paths.length === 0) return ok([]);
  const details = last.failure?.code === "gate_rejected" ? last.failure.details : {};
  const { findings } = shown.parse(details);
  for (const path of paths) {
    const found = findings.filter((finding) => finding.path === path);
    const [first] = found;
    if (first === undefined && !wasAllowed(last, path)) return err(notShown(attempt, path));
    if (first === undefined) continue;
    // Git did not take it at all: nothing is staged as long as it lies there.
    if (found.every(({ blob, rule }) => blob === undefined && rule !== "dirty_submodule"))
      return refused(
        "conflict",
        "never_published",
        `${first.message}: the rest cannot be staged beside it.`,
        {
          remedy: last.failure?.remedy ?? "Take it out of the worktree; then try again.",
          details: { path },
        },
      );
  }
  if (attempt.gitDir !== null && (await readMergeHead(attempt.gitDir)) !== null) return err(inMerge(attempt));
  const by = await askedBy(context, worktreeTarget(attempt));
  const at = context.clock.iso();
  return ok([...new Set(paths)].map((path) => ({ path, by, at })));
}

/** What a person allowed is shown too, also after they took it back. */
function wasAllowed({ notes }: Run, path: string): boolean {
  return notes.some(({ code, details }) => code === "allowed_finding" && details.path === path);
}

function notShown({ id }: Attempt, path: string): Refusal {
  return refuse("conflict", "nothing_to_allow", `Nothing was found in ${path} in the last run.`, {
    remedy: `\`tazuna show ${shortId(id)}\` lists what was found, each with its file.`,
    details: { path },
  });
}

/** The file would be as it was before the merge: the commit would take back what others did to it. */
function inMerge({ id }: Attempt): Refusal {
  return refuse(
    "bad_request",
    "options_conflict",
    "A merge is being concluded there, and takes files whole.",
    {
      remedy: `\`tazuna continue ${shortId(id)} "Mend what the publish gate found"\` hands it to the agent.`,
      details: { attempt: id },
    },
  );
}
