/** Lets another agent read an attempt's patch, waits, and shows its comments. */
import { err, ok } from "neverthrow";
import { cleanLine } from "../../../contract/text.ts";
import { newestRun } from "../../../contract/words/attempt-standing.ts";
import { badUsage } from "../../shared/cli-error.ts";
import { argument, defineCommand, optionalArgument, START_FLAGS, textFlag } from "../../shared/command.ts";
import { resolveAttempt, shortId } from "../../shared/resolve-id.ts";
import { commentsText } from "../../view/comments-text.ts";
import { startOnAttempt } from "../../wait/start-on-attempt.ts";

export const reviewCommand = defineCommand({
  brief: "Let another agent read the patch and comment on it; nothing is changed",
  args: [
    argument("ATTEMPT", "The attempt whose patch is read"),
    optionalArgument("INSTRUCTION", "What to look at, in quotes"),
  ],
  flags: { agent: textFlag("The agent that reads", "ID"), ...START_FLAGS },
  async *act(scope, flags, id, instruction) {
    const { engine } = scope;
    const { agent = "" } = flags;
    if (agent.trim() === "")
      return err(badUsage("--agent is missing.", "Name the agent that reads; `tazuna agents` lists them."));
    if (instruction !== undefined && instruction.trim() === "")
      return err(badUsage("The instruction is empty.", "Leave it out to have the whole patch read."));
    const found = yield* await resolveAttempt(engine, id);
    const request = { agent, instruction: instruction ?? null, settings: scope.environment.task };
    let run: string | null = null;
    const ended = yield* await startOnAttempt({
      scope,
      found,
      flags,
      ask: async () => {
        const made = await engine.ask((client, once) => client.review(found.attempt.id, request, once));
        const attempts = made.unwrapOr(null)?.attempts ?? [];
        run = newestRun(attempts.find((each) => each.id === found.attempt.id)?.runs ?? [])?.id ?? null;
        return made;
      },
    });
    if (flags.detach || (ended.exit ?? 0) !== 0) return ok(ended);
    const { items } = yield* await engine.ask((client) => client.comments(found.attempt.id));
    const comments = items.filter((comment) => comment.run === run);
    const own = agent === found.attempt.agent ? `${cleanLine(agent)} reviewed its own work.\n` : "";
    const [first] = comments;
    const next =
      first === undefined
        ? "It has no comments.\n"
        : `${commentsText(comments)}\nSend some to the agent: \`tazuna continue ${shortId(found.attempt.id)} --comment ${shortId(first.id)}\`\n`;
    return ok({ ...ended, document: { ...(ended.document as object), comments }, text: `${own}${next}` });
  },
});
