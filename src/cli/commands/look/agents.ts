/** Shows which agents are installed, their versions, and whether they are ready. */
import { cleanLine } from "../../../contract/text.ts";
import { defineCommand } from "../../shared/command.ts";
import { tableText } from "../../view/table.ts";

export const agentsCommand = defineCommand({
  brief: "Show which agents are installed, their versions, and whether they are ready",

  async act({ engine, terminal, environment }) {
    const list = await engine.ask((client) =>
      client.agents({ repository: terminal.cwd, settings: environment.task }),
    );
    return list.map(({ items }) => ({
      document: { agents: items },
      text: (columns) =>
        tableText(
          ["AGENT", "EXECUTOR", "VERSION", "READY", "REMARK"],
          items.map(({ id, executor, version, ready, reason }) => [
            cleanLine(id),
            cleanLine(executor),
            cleanLine(version ?? "-"),
            ready ? "yes" : "no",
            cleanLine(reason ?? ""),
          ]),
          columns,
        ),
    }));
  },
});
