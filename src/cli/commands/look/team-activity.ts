/** Lists what was done to people, tokens, browsers, workers, settings and repositories, the newest first. */
import { err, ok, type Result } from "neverthrow";
import type { ACCESS_ENDPOINTS, TeamActDocument } from "../../../contract/endpoints/access.ts";
import type { Answer } from "../../../contract/endpoints/endpoint.ts";
import { cleanLine } from "../../../contract/text.ts";
import { actorWords, needsNames } from "../../../contract/words/actor-words.ts";
import type { CliError } from "../../shared/cli-options.ts";
import type { Outcome } from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { tableText } from "../../view/table.ts";

type Listed = Answer<(typeof ACCESS_ENDPOINTS)["teamActs"]>;

interface Query {
  readonly all: boolean;
  readonly cursor: string | null;
  readonly limit: number;
}

/** `more` is the command for the next page. */
export async function teamActivity(
  engine: Engine,
  query: Query,
  more: (next: string) => string,
): Promise<Outcome> {
  const list = await pages(engine, query);
  return list.map(({ items, next }) => ({
    document: { acts: items, next },
    text: (columns) =>
      items.length === 0
        ? "Nothing was done to the team yet.\n"
        : `${listText(items, columns)}${next === null ? "" : more(next)}`,
  }));
}

async function pages(engine: Engine, { all, cursor, limit }: Query): Promise<Result<Listed, CliError>> {
  const items: TeamActDocument[] = [];
  let from = cursor;
  do {
    const page = { cursor: from, limit };
    const read = await engine.ask((client) => client.teamActs(page));
    if (read.isErr()) return err(read.error);
    items.push(...read.value.items);
    from = read.value.next;
  } while (all && from !== null);
  return ok({ items, next: from });
}

function listText(acts: readonly TeamActDocument[], columns: number): string {
  const isNamed = needsNames(acts.map(({ actor }) => actor));
  return tableText(
    ["AT", ...(isNamed ? ["BY"] : []), "ACT", "OF"],
    acts.map(({ at, actor, kind, name, detail }) => [
      at,
      ...(isNamed ? [cleanLine(actorWords(actor))] : []),
      cleanLine(kind.replaceAll("_", " ")),
      [name, ...(detail === null ? [] : [`(${detail})`])].map(cleanLine).join(" ").trim() || "-",
    ]),
    columns,
  );
}
