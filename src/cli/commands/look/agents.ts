/** Shows which agents are installed, their versions, and whether they are ready. */
import { cleanLine } from "../../../contract/text.ts";
import { defineCommand } from "../../shared/command.ts";
import { createEngine } from "../../shared/engine.ts";
import { tableText } from "../../view/table.ts";

export const agentsCommand = defineCommand({
  brief: "Show which agents are installed, their versions, and whether they are ready",

  async act(scope) {
    const engine = createEngine(scope, { foreground: false });
    const list = await engine.ask((client) =>
      client.agents({ repository: scope.terminal.cwd, settings: scope.environment.task }),
    );
    return list.map(({ items }) => ({
      exit: 0,
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
