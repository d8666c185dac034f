/** Shows the whole loop in a scratch repository with its own remote and two demo agents. */
import { type CommonFlags, defineCommand, JSON_FLAG } from "../command.ts";
import { createEngine, onceKey } from "../engine.ts";
import { textOf } from "../print.ts";
import { startAndWait } from "../start-and-wait.ts";

export const demoCommand = defineCommand<CommonFlags, []>({
  brief:
    "See the whole loop: a scratch repository with its own remote, two demo agents, no key and no network",
  parameters: { positional: { kind: "tuple", parameters: [] }, flags: JSON_FLAG },
  async act(scope) {
    const engine = createEngine(scope, { foreground: false });
    const once = onceKey();
    const outcome = await startAndWait({
      scope,
      engine,
      detach: false,
      start: () => engine.ask((client) => client.demo(once)),
    });
    return outcome.map((done) => ({
      ...done,
      text: (columns) => `${textOf(done, columns)}${done.exit === 0 ? NEXT : ""}`,
    }));
  },
});

const NEXT = `
Each agent worked in its own worktree on its own branch; Tazuna committed and pushed.
  tazuna diff ATTEMPT       what it changed
  tazuna logs ATTEMPT       what it did
  tazuna continue ATTEMPT "INSTRUCTION"
In a repository of yours: tazuna run "INSTRUCTION" --agent claude-code
`;
