/** Tells a person about one operation: its act, and the state before and after. */
import type { OperationDocument } from "../../contract/endpoints/operations.ts";
import { cleanLine } from "../../contract/text.ts";
import { shortId } from "../shared/resolve-id.ts";

/** What a restore or an undo did, in sentences, and how to undo it. */
export function operationText(operation: OperationDocument): string {
  const { id, undoable } = operation;
  const back = undoable ? `\`tazuna undo ${shortId(id)}\` takes it back.` : "";
  return `${[...sentencesOf(operation), back].filter((text) => text !== "").join("\n")}\n`;
}

function sentencesOf({ kind, subject, before, after }: OperationDocument): readonly string[] {
  const subjectId = `${subject.type} ${shortId(subject.id)}`;
  const [path, ref] = [valueText(after?.path), valueText(after?.ref ?? before?.ref)];
  switch (kind) {
    case "run_restore": {
      const run = typeof before?.run === "string" ? shortId(before.run) : null;
      const state = run === null ? "what they were before the restore" : `what the run ${run} left`;
      const kept = valueText(before?.snapshot);
      return [
        `The files of the ${subjectId} are ${state}.`,
        kept === "" ? "" : `What lay there until now is in the snapshot ${kept}.`,
      ];
    }
    case "trash_restore":
      return [`The ${subjectId} is back from the trash, with its branch and every file: ${path}`];
    case "undo": {
      const [was, is] = [before?.sha, after?.sha].map((sha) =>
        typeof sha === "string" ? sha.slice(0, 8) : null,
      );
      if (is === null) return [`${ref} is gone again; it was at ${was}.`];
      return [
        was === null ? `${ref} is there again, at ${is}.` : `${ref} is at ${is} again; it was at ${was}.`,
      ];
    }
    default:
      return [`The operation ${kind.replaceAll("_", " ")} of the ${subjectId} was carried out.`];
  }
}

function valueText(value: unknown): string {
  if (value === undefined) return "";
  return cleanLine(typeof value === "string" ? value : JSON.stringify(value));
}

/** In a few words: the thing, its state before and after, and who gave which reason. */
export function changeText({ before, after }: Pick<OperationDocument, "before" | "after">): string {
  const both = { ...after, ...before };
  const thing =
    both.ref ??
    both.branch ??
    both.file ??
    both.path ??
    both.at ??
    pullRequestText(both) ??
    chosenText(both) ??
    filesText(both) ??
    allowedText(both);
  const [from, to] = [shaText(before?.sha), shaText(after?.sha)];
  const move = from === to ? "" : `${from} → ${to}`;
  const who = typeof both.by === "string" ? `by ${valueText(both.by)}` : "";
  const why = typeof both.reason === "string" && who !== "" ? `(${valueText(both.reason)})` : "";
  return [valueText(thing), move, who, why].filter((text) => text !== "").join(" ");
}

/** Its number, its title if that was written, and its address. */
function pullRequestText({ number, title, url }: Readonly<Record<string, unknown>>): string | null {
  if (typeof number !== "number" && typeof title !== "string") return null;
  const parts = [typeof number === "number" ? `#${number}` : "", title ?? "", url ?? ""];
  return parts.filter((part) => part !== "").join(" ");
}

/** The chosen attempt, and those that went with the choice. */
function chosenText({ attempt, trashed }: Readonly<Record<string, unknown>>): string | null {
  if (typeof attempt !== "string") return null;
  const gone = list(trashed).map((id) => shortId(String(id)));
  return `${shortId(attempt)}${gone.length === 0 ? "" : `, to the trash: ${gone.join(", ")}`}`;
}

/** The rules and checks that a person allowed. */
function allowedText({ findings, checks }: Readonly<Record<string, unknown>>): string {
  const rules = list(findings).map((finding) => (finding as { rule?: unknown }).rule);
  const names = list(checks).map((name) => `check:${String(name)}`);
  return [...new Set([...rules.map(String), ...names])].join(", ");
}

/** The files that a person left out or let in, or the rules that they took back. */
function filesText({ files, allow }: Readonly<Record<string, unknown>>): string | null {
  const named = [...list(files), ...list(allow)].map((one) =>
    typeof one === "string" ? one : String((one as { path?: unknown }).path),
  );
  return named.length === 0 ? null : named.join(", ");
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function shaText(sha: unknown): string {
  return typeof sha === "string" ? sha.slice(0, 8) : "-";
}
