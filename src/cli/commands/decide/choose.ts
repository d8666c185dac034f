/** Records which attempt was chosen and why; on request, puts the others into the trash. */
import { err, ok } from "neverthrow";
import type { DecisionDocument } from "../../../contract/endpoints/decisions.ts";
import { cleanLine } from "../../../contract/text.ts";
import { badUsage } from "../../shared/cli-error.ts";
import { argument, defineCommand, switchFlag, textFlag } from "../../shared/command.ts";
import { resolveAttempt, shortId } from "../../shared/resolve-id.ts";

export const chooseCommand = defineCommand({
  brief:
    "Choose an attempt of its task, with the reason; choosing again keeps the earlier decision as history",
  args: [argument("ATTEMPT", "The attempt")],
  flags: {
    reason: textFlag("Why this one", "TEXT"),
    tripwire: textFlag("What would make us take the decision back", "TEXT"),
    trashOthers: switchFlag("Cancel the other attempts: snapshot, then the trash"),
  },
  async *act({ engine }, { reason = "", tripwire, trashOthers }, id) {
    if (reason.trim() === "")
      return err(badUsage("The reason is missing.", 'Say why this attempt: `--reason "..."`.'));
    const { attempt, document } = yield* await resolveAttempt(engine, id);
    const request = {
      attempt: attempt.id,
      reason,
      tripwire: tripwire ?? null,
      trash_others: trashOthers,
      replaces: document.task.decision?.id ?? null,
    };
    const chosen = await engine.ask((client, once) => client.choose(request, once));
    if (chosen.isErr()) return err(chosen.error);
    const { decision } = chosen.value;
    const { id: task } = document.task;
    const acts = await engine.ask((client) => client.operations({ subject: task, kind: "choose", limit: 1 }));
    const [act] = acts.isOk() ? acts.value.items : [];
    const text = chosenText(decision, { agent: attempt.agent, replaces: request.replaces !== null });
    const undo = act === undefined ? "" : `\`tazuna undo ${shortId(act.id)}\` takes it back.\n`;
    return ok({ document: { decision }, text: `${text}${undo}` });
  },
});

function chosenText(
  { attempt, task, reason, tripwire, trashed, alternatives }: DecisionDocument,
  { agent, replaces }: { readonly agent: string; readonly replaces: boolean },
): string {
  const others = alternatives.filter((id) => !trashed.includes(id));
  const [first] = trashed;
  return [
    `Chose ${shortId(attempt)} (${cleanLine(agent)}): ${cleanLine(reason)}\n`,
    tripwire === null ? "" : `Tripwire: ${cleanLine(tripwire)}\n`,
    replaces ? "It takes the place of an earlier decision, which stays as history.\n" : "",
    others.length === 0 ? "" : `As they are: ${others.map(shortId).join(", ")}\n`,
    first === undefined
      ? ""
      : `To the trash: ${trashed.map(shortId).join(", ")}. \`tazuna trash restore ${shortId(first)}\` brings ${trashed.length === 1 ? "it" : "the first"} back.\n`,
    `\`tazuna show ${shortId(task)}\` shows the decision.\n`,
  ].join("");
}
