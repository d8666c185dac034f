/** Calls one tool for the command line, and stays until everything that the tool started has ended. */
import { setTimeout as delay } from "node:timers/promises";
import { err, ok, type Result } from "neverthrow";
import type { CliError, ToolCallOptions } from "../../cli/shared/cli-options.ts";
import { nearestWord } from "../../domain/text/nearest.ts";
import { ToolCatalog } from "../../tools/catalog.ts";
import type { ToolContext } from "../../tools/core/context.ts";
import { servicesOfContext } from "../../tools/service/services.ts";
import { createAgentToolkit } from "../../tools/toolkit/create-agent-toolkit.ts";
import type { Settings } from "../process/settings.ts";
import { readToolRules } from "../server/tool-rules.ts";

export async function callTool(
  settings: Settings,
  { name, args, signal, onAnswer, ...where }: ToolCallOptions,
): Promise<Result<void, CliError>> {
  if (!Object.hasOwn(ToolCatalog, name)) return err(unknownTool(name));
  const rules = await readToolRules(settings, where);
  if (rules.isErr()) return err(rules.error);
  const context = rules.value.contextOn(rules.value.workspace);
  const toolkit = createAgentToolkit(context);
  try {
    const envelope = await toolkit.invoke(name, args, { signal });
    onAnswer(envelope, { services: livingServices(context) });
    await untilOver(() => livingServices(context) === 0, signal);
    return ok(undefined);
  } finally {
    await toolkit.close();
  }
}

/** How often it checks whether a service still runs. */
const POLL_MS = 100;

function livingServices({ shared }: ToolContext): number {
  return shared
    .get(servicesOfContext)
    .records()
    .filter(({ ended_at }) => ended_at === null).length;
}

async function untilOver(isOver: () => boolean, signal: AbortSignal): Promise<void> {
  while (!isOver() && !signal.aborted) await delay(POLL_MS, undefined, { signal }).catch(() => undefined);
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
