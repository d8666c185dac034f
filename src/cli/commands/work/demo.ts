/** Shows the whole loop in a scratch repository with its own remote and two demo agents. */
import type { TaskDocument } from "../../../contract/task-document.ts";
import { defineCommand } from "../../shared/command.ts";
import { nextSteps } from "../../view/next-steps.ts";
import { startAndWait } from "../../wait/start-and-wait.ts";

export const demoCommand = defineCommand({
  brief:
    "See the whole loop: a scratch repository with its own remote, two demo agents, no key and no network",

  async act(scope) {
    return startAndWait({
      scope,
      detach: false,
      closing: closingWords,
      start: () => scope.engine.ask((client, once) => client.demo({}, once)),
    });
  },
});

function closingWords(document: TaskDocument): string {
  const pushed = document.attempts.every(({ runs }) => runs.at(-1)?.outcome === "pushed");
  const how = "Each agent worked in a worktree of its own; Tazuna committed and pushed.";
  return [
    pushed ? `\n${how}\n` : "",
    nextSteps(document),
    '\nIn a repository of yours: tazuna run "..." --agent claude-code\n',
  ].join("");
}
