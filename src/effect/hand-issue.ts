/** Writes the issue of a task into a file for the agents of its attempts. */
import { rmSync, writeFileSync } from "node:fs";
import type { IssueDefinition } from "../domain/issue/issue-definition.ts";
import { documentOf, textOf } from "./issue-document.ts";

/**
 * `file` is absolute, in an existing folder, and is made anew. It has no reader yet, and after a crash it is made
 * again. So it is not made durable, because an agent waits for this. Throws the file system's error.
 */
export function handIssue(file: string, issue: IssueDefinition): void {
  rmSync(file, { force: true });
  writeFileSync(file, textOf(documentOf(issue, null)), { flag: "wx", mode: 0o400 });
}
