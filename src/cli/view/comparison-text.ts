/** Writes a comparison for people: the facts of each attempt, then who touched which file. */
import type { ComparisonDocument } from "../../contract/endpoints/decisions.ts";
import { cleanLine } from "../../contract/text.ts";
import { elapsedText } from "../../contract/words/elapsed.ts";
import { madeOfWords } from "../../contract/words/origin-words.ts";
import { costText } from "../../contract/words/present-run.ts";
import { shortId } from "../shared/resolve-id.ts";
import { tableText } from "./table.ts";

type Compared = ComparisonDocument["attempts"][number];

export function comparisonText({ task, attempts }: ComparisonDocument, columns: number): string {
  const head = ["", "ATTEMPT", "AGENT", "STATE", "CHECKS", "CHANGES", "TIME", "TOKENS", "COST", "REVIEW"];
  const decision = task.decision;
  return [
    `${shortId(task.id)}  ${cleanLine(task.title)}\n\n`,
    tableText(head, attempts.map(factsRow), columns),
    originLines(attempts),
    fileGrid(attempts, columns),
    decision === null ? "" : `\n${decisionText(decision)}`,
    nextSteps(attempts, { task: task.id, decided: decision !== null }),
  ].join("");
}

/** Which attempt was chosen, why, and what would change that. */
function decisionText({
  attempt,
  reason,
  tripwire,
  by,
  at,
}: NonNullable<ComparisonDocument["task"]["decision"]>): string {
  const who = by === null ? "" : ` by ${cleanLine(by)}`;
  return [
    `Chosen: ${shortId(attempt)}${who} at ${at}: ${cleanLine(reason)}\n`,
    tripwire === null ? "" : `Tripwire: ${cleanLine(tripwire)}\n`,
  ].join("");
}

function factsRow(attempt: Compared): string[] {
  const { id, letter, chosen, agent, model, state, usage } = attempt;
  const name = agent === null ? "(hidden)" : cleanLine(model === null ? agent : `${agent} (${model})`);
  return [
    `${letter}${chosen ? " *" : ""}`,
    shortId(id),
    name,
    state.replaceAll("_", " "),
    checksText(attempt),
    changesText(attempt),
    attempt.duration_s === null ? "?" : elapsedText(attempt.duration_s * 1000),
    usage === null ? "?" : String(usage.input_tokens + usage.output_tokens),
    (usage === null ? "" : costText(usage)) || "?",
    reviewText(attempt),
  ];
}

function checksText({ checks }: Compared): string {
  if (checks === null) return "-";
  const failed = checks.filter(({ outcome }) => outcome !== "passed");
  if (failed.length === 0) return `${checks.length} passed`;
  return `failed: ${failed.map(({ name }) => cleanLine(name)).join(", ")}`;
}

function changesText({ files, additions, deletions }: Compared): string {
  return files === null ? "?" : `${files} ${files === 1 ? "file" : "files"} +${additions} -${deletions}`;
}

/** Such as `1 critical, 2 low`; a dash if nobody reviewed it. */
function reviewText({ comments }: Compared): string {
  if (comments === null) return "-";
  const found = Object.entries(comments).filter(([, count]) => count > 0);
  return found.length === 0
    ? "no comments"
    : found.map(([severity, count]) => `${count} ${severity}`).join(", ");
}

/** Which attempts began with the work of others. */
function originLines(attempts: readonly Compared[]): string {
  const letters = new Map(attempts.map(({ id, letter }) => [id, letter]));
  const nameOf = (id: string) => letters.get(id) ?? shortId(id);
  const lines = attempts.flatMap(({ letter, origin }) =>
    origin === null ? [] : [`${letter} ${cleanLine(madeOfWords(origin, nameOf))}\n`],
  );
  return lines.length === 0 ? "" : `\n${lines.join("")}`;
}

/** The most files that are listed; `--json` lists more. */
const MAX_FILES = 60;

/** A line for each file, those that several attempts touched first. */
function fileGrid(attempts: readonly Compared[], columns: number): string {
  const touched = new Map<string, Map<string, string>>();
  for (const { id, changed } of attempts)
    for (const { path, status, additions, deletions } of changed ?? []) {
      const cells = touched.get(path) ?? new Map<string, string>();
      const lines = additions === null ? "binary" : `+${additions} -${deletions}`;
      cells.set(id, status === "modified" ? lines : `${status.replaceAll("_", " ")} ${lines}`);
      touched.set(path, cells);
    }
  if (touched.size === 0) return "";
  const differing = differingPaths(attempts);
  const sorted = [...touched].sort(([, one], [, other]) => other.size - one.size);
  const rows = sorted
    .slice(0, MAX_FILES)
    .map(([path, cells]) => [
      ...attempts.map(({ id, changed }) => cells.get(id) ?? (changed === null ? "?" : "-")),
      cells.size < 2 ? "" : differing.has(path) ? "differs" : "same",
      cleanLine(path),
    ]);
  const more = touched.size - rows.length;
  return [
    "\n",
    tableText([...attempts.map(({ letter }) => letter), "RESULT", "FILE"], rows, columns),
    more === 0 ? "" : `(and ${more} more files; \`--json\` lists them)\n`,
  ].join("");
}

/** Paths that two attempts changed and left different. */
function differingPaths(attempts: readonly Compared[]): ReadonlySet<string> {
  const paths = attempts.flatMap(({ overlap }) => overlap.flatMap((one) => one.paths ?? []));
  return new Set(paths.filter(({ identical }) => !identical).map(({ path }) => path));
}

function nextSteps(
  attempts: readonly Compared[],
  { task, decided }: { readonly task: string; readonly decided: boolean },
): string {
  const [one, other] = attempts.filter(({ files }) => (files ?? 0) > 0);
  if (one === undefined) return "";
  const open = attempts.find(
    ({ state, files }) => state !== "removed" && state !== "canceled" && (files ?? 0) > 0,
  );
  const steps: (readonly [string, string])[] = [
    ...(other === undefined
      ? [[`diff ${shortId(one.id)}`, "what it changed"] as const]
      : [[`diff ${shortId(one.id)} ${shortId(other.id)}`, "how the two differ"] as const]),
    ...(open === undefined
      ? []
      : [[`review ${shortId(open.id)} --agent ID`, "let another agent read it"] as const]),
    ...(other === undefined
      ? []
      : [
          [
            `compose ${shortId(task)} --take ${one.letter}:PATH --take ${other.letter}:PATH`,
            "take from both",
          ] as const,
        ]),
    ...(open === undefined || decided
      ? []
      : [[`choose ${shortId(open.id)} --reason "..."`, "record the choice"] as const]),
  ];
  const width = Math.max(...steps.map(([command]) => command.length));
  const lines = steps.map(([command, what]) => `  tazuna ${command.padEnd(width)}  ${what}\n`);
  return `\nNext:\n${lines.join("")}`;
}
