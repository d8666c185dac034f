/** Compares the attempts of a task: checks, changes, time, cost, reviews, and who touched which file. */
import { argument, defineCommand, switchFlag } from "../../shared/command.ts";
import { resolveAny } from "../../shared/resolve-id.ts";
import { comparisonText } from "../../view/comparison-text.ts";

export const compareCommand = defineCommand({
  brief: "Compare the attempts of a task: checks, changes, time, cost, and who touched which file",
  args: [argument("TASK", "The task, or one of its attempts")],
  flags: { hideNames: switchFlag("Hide agents and cost until one attempt is chosen") },
  async *act({ engine }, { hideNames }, id) {
    const { found } = yield* await resolveAny(engine, id);
    const compared = await engine.ask((client) => client.compare(found.task, { hide_names: hideNames }));
    return compared.map((document) => ({
      document,
      text: (columns) => comparisonText(document, columns),
    }));
  },
});
