/** Calls one tool for the command line, and stays as long as what it started runs. */
import { err, ok, type Result } from "neverthrow";
import type { CliError, ToolCallOptions, ToolLine } from "../cli/cli-options.ts";
import { nearestWord } from "../domain/text/nearest.ts";
import { ToolCatalog } from "../tools/catalog.ts";
import type { Tool } from "../tools/core/tool.ts";
import { createAgentToolkit } from "../tools/toolkit/create-agent-toolkit.ts";
import type { Settings } from "./settings.ts";
import { readToolRules } from "./tool-rules.ts";

export function listTools(): readonly ToolLine[] {
  return Object.values<Tool>(ToolCatalog).map(({ definition, title }) => ({
    name: definition.name,
    title,
    description: definition.description,
    parameters: definition.parameters,
  }));
}

export async function callTool(
  settings: Settings,
  { name, args, signal, onAnswer, ...where }: ToolCallOptions,
): Promise<Result<void, CliError>> {
  if (!Object.hasOwn(ToolCatalog, name)) return err(unknownTool(name));
  const rules = await readToolRules(settings, where);
  if (rules.isErr()) return err(rules.error);
  const toolkit = createAgentToolkit(rules.value.contextOn(rules.value.workspace));
  try {
    onAnswer(await toolkit.invoke(name, args, { signal }), { services: 0 });
    return ok(undefined);
  } finally {
    await toolkit.close();
  }
}

function unknownTool(name: string): CliError {
  const known = Object.keys(ToolCatalog);
  const nearest = nearestWord(name, known);
  return {
    exit: 2,
    code: "unknown_tool",
    message: `There is no tool ${JSON.stringify(name)}.`,
    remedy: `${nearest === null ? "" : `Did you mean \`${nearest}\`? `}\`tazuna tool\` lists all.`,
    details: { nearest },
  };
}
