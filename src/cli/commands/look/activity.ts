/** Lists every act on git and on worktrees, the newest first. */
import { err, ok, type Result } from "neverthrow";
import { cutToColumns } from "../../../contract/columns.ts";
import type { Answer, Sent } from "../../../contract/endpoints/endpoint.ts";
import type { OPERATION_ENDPOINTS, OperationDocument } from "../../../contract/endpoints/operations.ts";
import { cleanLine } from "../../../contract/text.ts";
import { actorWords, needsNames } from "../../../contract/words/actor-words.ts";
import { limitFlag } from "../../shared/checked-value.ts";
import { badUsage } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import { defineCommand, optionalArgument, switchFlag, textFlag } from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { resolveAny, shortId } from "../../shared/resolve-id.ts";
import { changeText } from "../../view/operation-text.ts";
import { tableText } from "../../view/table.ts";
import { teamActivity } from "./team-activity.ts";

const MAX_COUNT = 200;

type Row = (typeof OPERATION_ENDPOINTS)["operations"];
type Listed = Answer<Row>;
type Query = Sent<Row>;

export const activityCommand = defineCommand({
  brief: "List every act on git and on worktrees, the newest first; with `--team` on the team",
  args: [optionalArgument("ID", "Only those of a task, an attempt or a run")],
  flags: {
    team: switchFlag("Instead: acts on people, tokens, workers, settings, repositories"),
    all: switchFlag("Every page"),
    limit: limitFlag("How many acts, at most 200", MAX_COUNT),
    cursor: textFlag("Go on where an earlier page ended (its `next`)", "NEXT"),
  },
  async *act({ engine }, { team, all, limit, cursor }, id) {
    if (team && id !== undefined) return err(TEAM_ALONE);
    if (team) {
      const query = { all, cursor: cursor ?? null, limit: all ? MAX_COUNT : limit };
      return teamActivity(engine, query, (next) => moreText({ what: "--team", limit, next }));
    }
    const subject = id === undefined ? null : (yield* await resolveAny(engine, id)).found.id;
    const query = { subject, cursor: cursor ?? null, limit: all ? MAX_COUNT : limit };
    const list = all ? await everyPage(engine, query) : await page(engine, query);
    return list.map(({ items, next }) => ({
      document: { operations: items, next },
      text: (columns) =>
        items.length === 0
          ? "Nothing was done yet.\n"
          : `${activityText(items, columns)}${next === null ? "" : moreText({ what: id, limit, next })}`,
    }));
  },
});

function page(engine: Engine, query: Query): Promise<Result<Listed, CliError>> {
  return engine.ask((client) => client.operations(query));
}

async function everyPage(engine: Engine, query: Query): Promise<Result<Listed, CliError>> {
  const items: OperationDocument[] = [];
  let cursor = query.cursor ?? null;
  do {
    const read = await page(engine, { ...query, cursor });
    if (read.isErr()) return err(read.error);
    items.push(...read.value.items);
    cursor = read.value.next;
  } while (cursor !== null);
  return ok({ items, next: null });
}

const TEAM_ALONE = badUsage("`activity --team` takes no ID.", "Leave out one of both.");

/** The command for the next page of the same list. */
function moreText(page: {
  readonly what: string | undefined;
  readonly limit: number;
  readonly next: string;
}) {
  const words = [
    ...(page.what === undefined ? [] : [cleanLine(page.what)]),
    ...(page.limit === MAX_COUNT ? [] : [`--limit ${page.limit}`]),
    `--cursor ${page.next}`,
  ];
  return `\nMore: \`tazuna activity ${words.join(" ")}\`, or all with \`--all\`.\n`;
}

function activityText(operations: readonly OperationDocument[], columns: number): string {
  const isNamed = needsNames(operations.map(({ actor }) => actor));
  return tableText(
    ["OPERATION", "AT", ...(isNamed ? ["BY"] : []), "KIND", "OF", "STATE", "WHAT"],
    operations.map(({ id, at, kind, subject, status, undoable, before, after, actor }) => [
      shortId(id),
      at,
      ...(isNamed ? [cleanLine(actorWords(actor))] : []),
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

const MAX_COLUMNS = 200;

/** The cause of its failure, if that is known. Only its first line, since a hook of a remote may say much. */
function withWhy({ before, after }: Pick<OperationDocument, "before" | "after">): string {
  const [first = ""] = typeof after?.message === "string" ? after.message.trim().split("\n") : [];
  const why = cutToColumns(cleanLine(first), MAX_COLUMNS);
  return [changeText({ before: { ...before, sha: null }, after: null }), why]
    .filter((text) => text !== "")
    .join(": ");
}
