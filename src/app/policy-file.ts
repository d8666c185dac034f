/** Reads which tools the owner of a workspace allows, from a JSON file. */
import { readFile } from "node:fs/promises";
import { err, ok, type Result } from "neverthrow";
import { z } from "zod";
import { nearestWord } from "../domain/text/nearest.ts";
import { ToolCatalog } from "../tools/catalog.ts";
import type { ToolPolicy } from "../tools/core/context.ts";

const choice = z.enum(["allow", "deny"]);
const policy = z.strictObject({
  defaultPolicy: choice.optional(),
  tools: z.record(z.string(), choice).optional(),
});

/** As for the library, a tool that is not named is denied unless `defaultPolicy` says otherwise; the error is a sentence. */
export async function readPolicyFile(path: string): Promise<Result<ToolPolicy, string>> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return err(`The policy in ${path} cannot be read: ${reason}.`);
  }
  const parsed = policy.safeParse(json);
  if (!parsed.success) return err(`The policy in ${path} is wrong: ${z.prettifyError(parsed.error)}.`);
  const { defaultPolicy = "deny", tools = {} } = parsed.data;
  const unknown = Object.keys(tools).find((name) => !Object.hasOwn(ToolCatalog, name));
  if (unknown === undefined) return ok({ defaultPolicy, tools });
  return err(
    `The policy in ${path} names a tool that does not exist: ${JSON.stringify(unknown)}${meant(unknown)}.`,
  );
}

function meant(name: string): string {
  const nearest = nearestWord(name, Object.keys(ToolCatalog));
  return nearest === null ? "" : ` (did you mean ${JSON.stringify(nearest)}?)`;
}
