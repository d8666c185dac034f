/** Shows the settings that hold here and their sources, or their schema. */
import { err, ok } from "neverthrow";
import { cleanLine } from "../../../contract/text.ts";
import { badUsage } from "../../shared/cli-error.ts";
import {
  defineCommand,
  type Outcome,
  optionalArgument,
  type Scope,
  switchFlag,
} from "../../shared/command.ts";
import { tellIgnoredSettings } from "../../shared/ignored-settings.ts";
import { jsonText } from "../../shared/print.ts";
import { tableText } from "../../view/table.ts";

export const configCommand = defineCommand({
  brief:
    "Show the settings that hold here, and where each comes from; with `set` write one, with `unset` remove one",
  args: [
    {
      placeholder: "set|unset",
      brief: "Write a value instead, or remove it from the file",
      parse: parseAction,
      words: ["set", "unset"],
      optional: true,
    },
    optionalArgument("KEY", "Dotted, such as `limits.parallel`"),
    optionalArgument("VALUE", "JSON, or a text as it stands"),
  ],
  flags: {
    schema: switchFlag("Print the JSON Schema of the configuration instead"),
    repo: switchFlag("Write `.tazuna/config.json` of this repository, not your own file"),
  },
  async act(scope, { schema, repo }, action, key, value) {
    if (action === "set") return set(scope, { key, value, repo });
    if (action === "unset") return unset(scope, { key, value, repo });
    if (repo)
      return err(
        badUsage(
          "--repo goes with `set` and `unset`.",
          "Leave out `--repo`, or write a value: `tazuna config set limits.parallel 4 --repo`.",
        ),
      );
    if (schema) {
      const document = await scope.entries.configSchema();
      return ok({ document, text: jsonText(document) });
    }
    const repository = scope.terminal.cwd;
    await tellIgnoredSettings(scope, repository);
    const settings = scope.environment.task;
    const list = await scope.engine.ask((client) => client.config({ repository, settings }));
    return list.map(({ items }) => ({
      document: Object.fromEntries(items.map(({ key, value, source }) => [key, { value, source }])),
      text: (columns) =>
        tableText(
          ["KEY", "VALUE", "FROM"],
          items.map(({ key, value, source }) => [
            cleanLine(key),
            cleanLine(JSON.stringify(value)),
            cleanLine(source),
          ]),
          columns,
        ),
    }));
  },
});

async function set(
  { entries, terminal }: Scope,
  {
    key,
    value,
    repo,
  }: { readonly key: string | undefined; readonly value: string | undefined; readonly repo: boolean },
): Promise<Outcome> {
  if (key === undefined || value === undefined || key === "")
    return err(
      badUsage("`config set` needs a key and a value.", "Write both: `tazuna config set limits.parallel 4`."),
    );
  const done = await entries.setConfig({ key, value, repository: repo ? terminal.cwd : null });
  return done.map((end) => ({
    document: end,
    text: `Set ${cleanLine(end.key)} to ${cleanLine(JSON.stringify(end.value))} in ${cleanLine(end.file)}.\n`,
  }));
}

async function unset(
  { entries, terminal }: Scope,
  {
    key,
    value,
    repo,
  }: { readonly key?: string | undefined; readonly value?: string | undefined; readonly repo: boolean },
): Promise<Outcome> {
  if (key === undefined || key === "" || value !== undefined)
    return err(
      badUsage(
        "`config unset` needs a key, and nothing else.",
        "Write one: `tazuna config unset limits.parallel`.",
      ),
    );
  const done = await entries.setConfig({ key, value: null, repository: repo ? terminal.cwd : null });
  return done.map((end) => ({
    document: end,
    text:
      end.before === null
        ? `${cleanLine(end.key)} is not in ${cleanLine(end.file)}.\n`
        : `Removed ${cleanLine(end.key)} from ${cleanLine(end.file)}.\n`,
  }));
}

function parseAction(text: string): "set" | "unset" {
  if (text !== "set" && text !== "unset")
    throw new Error("`config` shows all, `config set KEY VALUE` writes one, `config unset KEY` removes one");
  return text;
}
