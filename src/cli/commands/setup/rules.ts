/** Lists and removes the rules by which a person allows the same again, of every repository. */
import { err } from "neverthrow";
import type { AnswerRuleDocument } from "../../../contract/endpoints/runs.ts";
import { cleanLine } from "../../../contract/text.ts";
import { badUsage } from "../../shared/cli-error.ts";
import { defineCommand, type Outcome, optionalArgument } from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { shortId } from "../../shared/resolve-id.ts";
import { tableText } from "../../view/table.ts";

export const rulesCommand = defineCommand({
  brief: "List what agents may do without asking you again; with `remove` you are asked again",
  args: [
    {
      placeholder: "remove",
      brief: "Remove a rule instead; `answer --always` makes one",
      parse: parseAction,
      words: ["remove"],
      optional: true,
    },
    optionalArgument("RULE", "Its id, as the list shows it"),
  ],
  async act({ engine }, _flags, action, id) {
    if (action === "remove") return remove(engine, id);
    const list = await engine.ask((client) => client.answerRules());
    return list.map(({ items }) => ({
      document: { rules: items },
      text: (columns) => (items.length === 0 ? "There are no rules.\n" : listText(items, columns)),
    }));
  },
});

async function remove(engine: Engine, id: string | undefined): Promise<Outcome> {
  if (id === undefined || id.trim() === "")
    return err(badUsage("`rules remove` needs the id of a rule.", "`tazuna rules` shows the ids."));
  const removed = await engine.ask((client) => client.removeAnswerRule(id));
  return removed.map((document) => ({
    document,
    text: `You are asked again from now on: ${cleanLine(document.text)}\n`,
  }));
}

function parseAction(text: string): "remove" {
  if (text !== "remove") throw new Error("`rules` lists all, `rules remove RULE` removes one");
  return text;
}

function listText(rules: readonly AnswerRuleDocument[], columns: number): string {
  return tableText(
    ["ID", "REPOSITORY", "SINCE", "ALLOWED"],
    rules.map(({ id, repository, at, kind, text }) => [
      shortId(id),
      shortId(repository),
      at,
      `${cleanLine(text)}${kind === "prefix" ? " …" : ""}`,
    ]),
    columns,
  );
}
