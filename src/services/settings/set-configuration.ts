/** Writes one value into the user's own settings file or into a repository's, or takes it out. */
import { lstat, mkdir, readFile, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { err, ok, type Result, safeTry } from "neverthrow";
import { beyondAPage } from "../../domain/configuration/beyond-a-page.ts";
import { joinLayers } from "../../domain/configuration/layers.ts";
import type { Configuration } from "../../domain/configuration/schema.ts";
import { setValue } from "../../domain/configuration/set-value.ts";
import { sentence } from "../../domain/doctor/finding.ts";
import { jsonLines } from "../../domain/text/json-lines.ts";
import { shellWord } from "../../domain/text/shell-word.ts";
import { discoverRepository } from "../../git/repository/discover.ts";
import { writeFileAtomic } from "../../utils/files/atomic-write.ts";
import type { Uses } from "../core/context-parts.ts";
import { configurationRefusal, type Refusal, refuse } from "../core/refusal.ts";
import type { SettingChange } from "../core/request-shapes.ts";
import type { SettingSet } from "../core/screen-shapes.ts";
import { discoverRefusal } from "../repositories/register-repository.ts";

/** Only a value that makes a valid configuration is written; everything else in the file stays as it is. */
export async function setConfiguration(
  context: Uses<"git" | "paths">,
  change: SettingChange,
  memory: SettingMemory = createSettingMemory(),
): Promise<Result<SettingSet, Refusal>> {
  const { key, value, repository, local } = change;
  return safeTry(async function* () {
    const place = repository === null ? homeFile(context) : fileOf(context, { folder: repository, local });
    const file = yield* await place;
    const text = yield* await textOf(file);
    const set = yield* setValue({ source: file, text, key, value }).mapErr((fault) =>
      fault.kind === "secret" ? SECRET : refused(fault.error),
    );
    if (change.from === "page" && repository === null) {
      const beyond = beyondAPage(valuesOf(set.text), valuesOf(text));
      if (beyond.length > 0 && !memory.isWayBack(file, text, set.text))
        return err(terminalOnly(change, beyond));
      memory.note(file, text, set.text);
    }
    const mode = (await stat(file).catch(() => null))?.mode ?? (repository === null ? 0o600 : 0o644);
    await mkdir(dirname(file), { recursive: true });
    await writeFileAtomic(file, set.text, { mode: mode & 0o777 });
    const { value: now, before } = set;
    return ok({
      file,
      key,
      value: now ?? null,
      unset: now === undefined,
      before: before === undefined ? null : { value: before },
    });
  });
}

/** Knows the last change that a page made in each file, so that a page may take it back. */
export interface SettingMemory {
  note(file: string, before: string, after: string): void;
  /** The file is as a page left it, and would be as that page found it. */
  isWayBack(file: string, now: string, then: string): boolean;
}

export function createSettingMemory(): SettingMemory {
  const last = new Map<string, { readonly before: string; readonly after: string }>();
  const told = (text: string) => JSON.stringify(JSON.parse(text));
  return {
    note: (file, before, after) => void last.set(file, { before: told(before), after: told(after) }),
    isWayBack: (file, now, then) => {
      const change = last.get(file);
      return change !== undefined && change.after === told(now) && change.before === told(then);
    },
  };
}

/** As the file alone makes them; the defaults if it is not valid. */
function valuesOf(text: string): Configuration {
  const joined = joinLayers([{ source: "", values: JSON.parse(text) as unknown }]);
  const plain = joined.isOk() ? joined : joinLayers([]);
  return plain._unsafeUnwrap().values;
}

/** If the user made the file a link, it stays a link: its target is written. */
async function homeFile({ paths }: Uses<"paths">): Promise<Result<string, Refusal>> {
  return ok(await realpath(paths.config).catch(() => paths.config));
}

/**
 * The file at the top of the checkout, which is never an attempt's worktree. A link there would send the text
 * elsewhere.
 */
async function fileOf(
  { git, paths }: Uses<"git" | "paths">,
  { folder, local }: { readonly folder: string; readonly local: boolean },
): Promise<Result<string, Refusal>> {
  const found = await discoverRepository(git, folder);
  if (found.isErr()) return err(discoverRefusal(found.error, folder));
  if (found.value.bare) return err(unusable(found.value.path, "is a bare repository, without files"));
  const worktrees = await realpath(paths.worktrees).catch(() => null);
  if (dirname(found.value.path) === worktrees) return err(IN_ATTEMPT_WORKTREE);
  const file = join(found.value.path, ".tazuna", local ? "config.local.json" : "config.json");
  for (const path of [dirname(file), file])
    if ((await lstat(path).catch(() => null))?.isSymbolicLink())
      return err(unusable(path, "is a symbolic link"));
  return ok(file);
}

/** An empty object if there is no file. A file that is not a JSON object is never overwritten. */
async function textOf(file: string): Promise<Result<string, Refusal>> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== "string")
    return text.code === "ENOENT" ? ok("{}\n") : err(unusable(file, `cannot be read (${text.code})`));
  if (text.trim() === "") return ok("{}\n");
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? ok(text) : err(unusable(file, "is no JSON object"));
  } catch {
    const { fault } = jsonLines(text);
    return err(
      unusable(fault === null ? file : `${file}:${fault}`, "is not valid JSON (no comments either)"),
    );
  }
}

function unusable(file: string, why: string): Refusal {
  return refuse("bad_request", "bad_configuration", `${file} ${why}: nothing was written.`, {
    remedy: `Mend ${file.replace(/:\d+$/, "")} by hand, then set it again.`,
    details: { file },
  });
}

const IN_ATTEMPT_WORKTREE = refuse(
  "bad_request",
  "bad_configuration",
  "This is an attempt's worktree, where the file would become part of its work: nothing was written.",
  { remedy: "Go to the checkout of the repository, then type it again." },
);

function refused(error: Parameters<typeof configurationRefusal>[0]): Refusal {
  const { message, details } = configurationRefusal(error);
  return refuse("bad_request", "bad_configuration", `${sentence(message)} Nothing was written.`, {
    remedy: "`tazuna config --schema` lists every key; lists and objects are given as JSON.",
    details,
  });
}

const SECRET = refuse(
  "bad_request",
  "secret_in_configuration",
  "That looks like a credential: nothing was written.",
  { remedy: "Export it in your shell: agents have the environment of the shell that asks for a run." },
);

function terminalOnly({ key, value }: SettingChange, beyond: readonly string[]): Refusal {
  const message = `A page cannot set what runs programs or loosens a limit: ${beyond.join("; ")}. Nothing was written.`;
  return refuse("needs_person", "terminal_only", message, {
    remedy: `Type it in a terminal: \`tazuna config ${value === null ? `unset ${shellWord(key)}` : `set ${shellWord(key)} ${shellWord(value)}`}\`.`,
    details: { key, beyond },
  });
}
