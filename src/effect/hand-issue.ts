/** Writes the issue of a task into a file, for the agents of its attempts to read. */
import { rmSync, writeFileSync } from "node:fs";
import type { IssueDefinition } from "../domain/issue/issue-definition.ts";
import { documentOf, textOf } from "./issue-document.ts";

/**
 * Absolute `file`, in an existing folder, made anew. Nobody reads it yet and a crash makes it again, so it is not made
 * durable: an agent waits for this. Throws what the file system says.
 */
export function handIssue(file: string, issue: IssueDefinition): void {
  rmSync(file, { force: true });
  writeFileSync(file, textOf(documentOf(issue, null)), { flag: "wx", mode: 0o400 });
}
