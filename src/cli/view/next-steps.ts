/** Names the commands that may come next, with the ids of the attempts that just ended. */
import type { TaskDocument } from "../../contract/task-document.ts";
import { workRuns } from "../../contract/words/attempt-standing.ts";
import { shortId } from "../shared/resolve-id.ts";

/** About the first attempt that has a commit, else the first one. A failure without a commit has its remedy instead. */
export function nextSteps({ attempts }: TaskDocument): string {
  const committed = attempts.filter(({ runs }) => runs.some(({ commit }) => commit !== null));
  const attempt = committed[0] ?? attempts.find((each) => workRuns(each).at(-1)?.failure === null);
  if (attempt === undefined) return "";
  const id = shortId(attempt.id);
  const other = committed[1];
  const steps: (readonly [string, string])[] = [
    ...(committed.length === 0 ? [] : [[`diff ${id}`, "what it changed"] as const]),
    ...(other === undefined ? [] : [[`diff ${id} ${shortId(other.id)}`, "how the two differ"] as const]),
    [`logs ${id}`, "what it did"],
    [`continue ${id} "..."`, "go on with it"],
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  const lines = steps.map(([command, what]) => `  tazuna ${command.padEnd(width)}  ${what}\n`);
  return `\nNext:\n${lines.join("")}`;
}
