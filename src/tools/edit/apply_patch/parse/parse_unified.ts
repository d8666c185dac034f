/** Reads a unified diff of git, of diff, from a mail, or written by hand; ignores the text around it. */
import { err, ok, type Result } from "neverthrow";
import type { FileChange, PatchFlaw } from "./change_list.ts";
import { isSignature, parseHunk } from "./parse_hunk.ts";
import { gitHeaderPaths, headerPath, pairOf } from "./patch_paths.ts";
import {
  changeOf,
  flaw,
  newSection,
  readGitLine,
  type Section,
  speaksOf,
  unsupported,
} from "./unified_section.ts";

export function parseUnified(lines: readonly string[]): Result<readonly FileChange[], PatchFlaw> {
  const sections: Section[] = [];
  for (let at = 0; at < lines.length; ) {
    const step = readOn(lines, at, sections);
    if (step.isErr()) return err(step.error);
    at = step.value;
  }
  const changes: FileChange[] = [];
  for (const section of sections) {
    const change = changeOf(section);
    if (change.isErr()) return err(change.error);
    changes.push(change.value);
  }
  if (changes.length === 0) return err(flaw(0, "it holds no header of a file (--- and +++, or diff --git)"));
  return ok(changes);
}

/** Reads the section that begins at a line, and returns the index of the line after it. */
function readOn(lines: readonly string[], at: number, sections: Section[]): Result<number, PatchFlaw> {
  const line = lines[at] ?? "";
  const section = sections.at(-1);
  if (line.startsWith("diff --git ")) {
    sections.push(newSection(at, { named: gitHeaderPaths(line.slice("diff --git ".length)), isGit: true }));
    return ok(at + 1);
  }
  if (line.startsWith("--- ") && (lines[at + 1] ?? "").startsWith("+++ "))
    return readNames(lines, at, sections);
  if (section?.isClosed) return ok(at + 1);
  if (line.startsWith("@@@")) return err(unsupported(at, "it is the diff of a merge"));
  if (line.startsWith("@@")) return readHunk(lines, at, section);
  if (/^GIT binary patch\r?$|^Binary files .* differ\r?$/.test(line))
    return err(unsupported(at, "it changes a binary file"));
  if (/^\*\*\* Begin Patch\s*$/.test(line))
    return err(flaw(at, "*** Begin Patch must stand in the first line"));
  if (section === undefined) return ok(at + 1);
  if (section.hunks.length > 0) return readText(lines, at, section);
  return section.isGit ? readGitLine(line, at, section) : ok(at + 1);
}

/** The `---` and `+++` lines. They name a file, or belong to the `diff --git` line above. */
function readNames(lines: readonly string[], at: number, sections: Section[]): Result<number, PatchFlaw> {
  const section = sections.at(-1);
  const old = headerPath((lines[at] ?? "").slice(4));
  const created = headerPath((lines[at + 1] ?? "").slice(4));
  const isOpen = section?.isGit && section.paths === null && speaksOf(section, { old, new: created });
  const target = isOpen ? section : newSection(at, { named: null, isGit: false });
  if (!isOpen) sections.push(target);
  target.paths = pairOf(old, created);
  return ok(at + 2);
}

function readHunk(
  lines: readonly string[],
  at: number,
  section: Section | undefined,
): Result<number, PatchFlaw> {
  if (section?.paths === null || section === undefined)
    return err(flaw(at, "a hunk has no file: --- and +++ lines must stand before it"));
  const read = parseHunk(lines, at);
  if (read === null) return err(flaw(at, "a hunk holds no lines"));
  section.hunks.push(read.hunk);
  return ok(read.next);
}

/** Text after the hunks. A line that looks like part of a hunk must not be ignored silently. */
function readText(lines: readonly string[], at: number, section: Section): Result<number, PatchFlaw> {
  const line = lines[at] ?? "";
  if (isSignature(lines, at) || line.startsWith("From ")) section.isClosed = true;
  if (section.isClosed || !/^[+-]/.test(line) || line === "---") return ok(at + 1);
  return err(flaw(at, "a line that adds or deletes stands outside of any hunk"));
}
