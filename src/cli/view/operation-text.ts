/** Shows one operation to a person: what it was, and each value before and after. */
import type { OperationDocument } from "../../contract/answers.ts";
import { cleanLine } from "../../contract/text.ts";
import { shortId } from "../resolve-id.ts";
import { tableText } from "./table.ts";

/** Values that did not change are shown once, as what was before. */
export function operationText({ id, kind, before, after }: OperationDocument): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const rows = names.map((name) => {
    const then = valueText(before?.[name]);
    const now = valueText(after?.[name]);
    return [cleanLine(name), then, now === then ? "" : now];
  });
  return `${cleanLine(kind)} ${shortId(id)}\n${tableText(["", "BEFORE", "AFTER"], rows)}`;
}

function valueText(value: unknown): string {
  if (value === undefined) return "";
  return cleanLine(typeof value === "string" ? value : JSON.stringify(value));
}

/** In a few words: the thing that it was about, and from where to where that went. */
export function changeText({ before, after }: Pick<OperationDocument, "before" | "after">): string {
  const both = { ...after, ...before };
  const thing = both.ref ?? both.branch ?? both.file ?? both.path ?? both.at ?? "";
  const [from, to] = [shaText(before?.sha), shaText(after?.sha)];
  const move = from === to ? "" : `${from} → ${to}`;
  return [valueText(thing), move].filter((text) => text !== "").join(" ");
}

function shaText(sha: unknown): string {
  return typeof sha === "string" ? sha.slice(0, 8) : "-";
}
