/** Ends attempts: their runs are stopped, a snapshot is taken, the worktree goes into the trash. */
import { partOf } from "../../../contract/client/named-thing.ts";
import { hasEnded } from "../../../contract/settled.ts";
import type { AttemptDocument, TaskDocument } from "../../../contract/task-document.ts";
import { cleanLine } from "../../../contract/text.ts";
import { cleanUpWords } from "../../../contract/words/present-run.ts";
import { failed } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import { argument, defineCommand } from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { resolveAny, shortId } from "../../shared/resolve-id.ts";
import { endAndWait } from "../../wait/end-and-wait.ts";

export const cancelCommand = defineCommand({
  brief: "End an attempt: snapshot, then its worktree goes into the trash and its branch away",
  args: [argument("ID", "An attempt, a run, or a task for all its attempts")],
  async *act(scope, _flags, given) {
    const { engine } = scope;
    const any = yield* await resolveAny(engine, given);
    const attempts = partOf(any).attempts.map((attempt) => attempt.id);
    const ours = (document: TaskDocument) => document.attempts.filter((each) => attempts.includes(each.id));
    return endAndWait({
      scope,
      ask: () => engine.ask((client) => client.cancel(any.found)),
      attempts,
      runs: (document) =>
        ours(document).flatMap(({ runs }) => runs.filter((run) => !hasEnded(run)).map((run) => run.id)),
      until: (document) =>
        ours(document).every(({ state, clean_up }) => state !== "canceled" || clean_up !== null),
      undone: (document) => notCleanedUp(ours(document).filter(({ state }) => state === "canceled")),
      more: async (document) => {
        const texts: string[] = [];
        for (const { id, state } of ours(document))
          if (state === "removed") texts.push(await wayBack(engine, id));
        return texts.join("");
      },
    });
  },
});

/** The place of a removed attempt's files, and the command that restores them; empty if it had none. */
async function wayBack(engine: Engine, attempt: string): Promise<string> {
  const asked = await engine.ask((client) =>
    client.operations({ subject: attempt, cursor: null, limit: MAX_OPERATIONS }),
  );
  const put = asked.isErr()
    ? undefined
    : asked.value.items.find(({ kind, status }) => kind === "trash" && status === "done");
  if (put === undefined) return "";
  const path = cleanLine(String(put.after?.path));
  const why = put.before?.no_snapshot;
  const restore = `\`tazuna trash restore ${shortId(attempt)}\``;
  if (typeof why !== "string")
    return `\nThe worktree is in the trash. ${restore} brings it back, with its branch and every file.\n`;
  return `\nNo snapshot was taken: ${cleanLine(why)}\nThe files are in the trash, and are never deleted from there: ${path}\nOnce the cause is mended, ${restore} brings them back.\n`;
}

const MAX_OPERATIONS = 50;

/** What is stopped, what is still there and why, and what happens to it. */
function notCleanedUp(kept: readonly AttemptDocument[]): CliError | null {
  const [first] = kept;
  if (first === undefined) return null;
  const troubled = kept.flatMap((attempt) => {
    const words = cleanUpWords(attempt);
    return words === null ? [] : [{ ...words, id: shortId(attempt.id) }];
  });
  const names = kept.map(({ id }) => shortId(id)).join(", ");
  const [trouble] = troubled;
  return failed({
    code: "not_cleaned_up",
    message:
      trouble === undefined
        ? `Its runs have ended; putting ${names} into the trash has not ended within a minute, and goes on.`
        : `Its runs have ended; ${names} ${kept.length === 1 ? "is" : "are"} cancelled and not cleaned up yet. ${troubled.map(({ id, why }) => `${id}: ${cleanLine(why)}`).join(" ")}`,
    remedy: trouble?.remedy ?? `Nothing is lost. \`tazuna show ${shortId(first.id)}\` says how far it is.`,
    details: {
      attempts: kept.map(({ id }) => id),
      kept: kept.map(({ id, worktree, branch, clean_up }) => ({ id, worktree, branch, ...clean_up })),
    },
  });
}
