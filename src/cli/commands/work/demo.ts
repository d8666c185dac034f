/** Shows the whole loop in a scratch repository with a remote and two demo agents, or takes demos away. */
import type { TaskDocument } from "../../../contract/task-document.ts";
import { cleanLine } from "../../../contract/text.ts";
import { defineCommand, type Outcome, type Scope, switchFlag } from "../../shared/command.ts";
import { nextSteps } from "../../view/next-steps.ts";
import { startAndWait } from "../../wait/start-and-wait.ts";

export const demoCommand = defineCommand({
  brief:
    "See the whole loop: a scratch repository with its own remote, two demo agents, no key and no network",
  flags: {
    remove: switchFlag("Take every demo away, with all that belongs to it"),
  },

  async act(scope, { remove }) {
    if (remove) return removeDemos(scope);
    return startAndWait({
      scope,
      detach: false,
      closing: closingWords,
      start: () => scope.engine.ask((client, once) => client.demo({}, once)),
    });
  },
});

async function removeDemos({ engine }: Pick<Scope, "engine">): Promise<Outcome> {
  const removed = await engine.ask((client) => client.removeDemo());
  return removed.map((document) => ({
    document,
    text:
      document.removed.length === 0
        ? "There is no demo.\n"
        : document.removed.map(({ path }) => `The demo in ${cleanLine(path)} is gone.\n`).join(""),
  }));
}

function closingWords(document: TaskDocument): string {
  const pushed = document.attempts.every(({ runs }) => runs.at(-1)?.outcome === "pushed");
  const how = "Each agent worked in a worktree of its own; Tazuna committed and pushed.";
  return [
    pushed ? `\n${how}\n` : "",
    nextSteps(document),
    '\nIn a repository of yours: tazuna run "..." --agent claude-code\n',
  ].join("");
}
