/** Shows the settings that hold here and where each comes from, or the schema that they follow. */
import { ok } from "neverthrow";
import { cleanLine } from "../../contract/text.ts";
import { type CommonFlags, defineCommand, JSON_FLAG, switchFlag } from "../command.ts";
import { createEngine } from "../engine.ts";
import { tellIgnoredSettings } from "../ignored-settings.ts";
import { jsonText } from "../print.ts";
import { tableText } from "../view/table.ts";

type Flags = CommonFlags & { readonly schema: boolean };

export const configCommand = defineCommand<Flags, []>({
  brief: "Show the settings that hold here, and where each comes from",
  parameters: {
    positional: { kind: "tuple", parameters: [] },
    flags: { schema: switchFlag("Print the JSON Schema of the configuration instead"), ...JSON_FLAG },
  },
  async act(scope, { schema }) {
    if (schema) {
      const document = await scope.entries.configSchema();
      return ok({ exit: 0, document, text: jsonText(document) });
    }
    const engine = createEngine(scope, { foreground: false });
    const repository = scope.terminal.cwd;
    await tellIgnoredSettings(scope, engine, repository);
    const list = await engine.ask((client) =>
      client.config({ repository, settings: scope.environment.task }),
    );
    return list.map(({ items }) => ({
      exit: 0,
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
