/** Reads which tools the owner of a workspace allows, from a JSON file. */
import { readFile } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { ToolCatalog } from "../../tools/catalog.ts";
import { type ToolPolicy, toolPolicy } from "../../tools/core/context.ts";
import { flawOf, unknownTool } from "../../tools/core/misspelt.ts";

/**
 * As in the library, a tool without an entry is denied unless `defaultPolicy` says otherwise. The error is a
 * sentence.
 */
export async function readPolicyFile(path: string): Promise<Result<ToolPolicy, string>> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return err(`The policy in ${path} cannot be read: ${reason}.`);
  }
  const parsed = toolPolicy.safeParse(json);
  if (!parsed.success) {
    const flaws = parsed.error.issues.map((issue) => flawOf(toolPolicy, issue, ""));
    return err(`The policy in ${path} is wrong: ${flaws.join("; ")}.`);
  }
  const unknown = unknownTool(parsed.data.tools, Object.keys(ToolCatalog));
  return unknown === null ? ok(parsed.data) : err(`The policy in ${path} ${unknown}.`);
}
