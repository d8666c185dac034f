/** Lists every act on git and on worktrees, the newest first. */
import { err } from "neverthrow";
import type { OperationDocument } from "../../contract/answers.ts";
import { cleanLine } from "../../contract/text.ts";
import { type CommonFlags, defineCommand, JSON_FLAG, optionalArgument } from "../command.ts";
import { createEngine } from "../engine.ts";
import { resolveAny, shortId } from "../resolve-id.ts";
import { changeText } from "../view/operation-text.ts";
import { tableText } from "../view/table.ts";

const MOST = 200;

export const activityCommand = defineCommand<CommonFlags, [id?: string]>({
  brief: "List every act on git and on worktrees, the newest first",
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [optionalArgument("ID", "Only those of a task, an attempt or a run")],
    },
    flags: JSON_FLAG,
  },
  async act(scope, _flags, id) {
    const engine = createEngine(scope, { foreground: false });
    const found = id === undefined ? null : await resolveAny(engine, id);
    if (found?.isErr()) return err(found.error);
    const subject = found?.isOk() ? found.value.found.id : null;
    const list = await engine.ask((client) => client.operations({ subject, cursor: null, limit: MOST }));
    return list.map(({ items }) => ({
      exit: 0,
      document: { operations: items },
      text: (columns) => (items.length === 0 ? "Nothing was done yet.\n" : activityText(items, columns)),
    }));
  },
});

function activityText(operations: readonly OperationDocument[], columns: number): string {
  return tableText(
    ["OPERATION", "AT", "KIND", "OF", "STATE", "WHAT"],
    operations.map(({ id, at, kind, subject, status, undoable, before, after }) => [
      shortId(id),
      at,
      cleanLine(kind),
      `${subject.type} ${shortId(subject.id)}`,
      undoable ? `${status}, undo` : status,
      status === "failed" || status === "intended"
        ? withWhy({ before, after })
        : changeText({ before, after }),
    ]),
    columns,
  );
}

/** What went wrong with it, where that is known. */
function withWhy({ before, after }: Pick<OperationDocument, "before" | "after">): string {
  const why = typeof after?.message === "string" ? cleanLine(after.message) : "";
  return [changeText({ before: { ...before, sha: null }, after: null }), why]
    .filter((text) => text !== "")
    .join(": ");
}
