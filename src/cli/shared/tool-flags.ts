/** Reads the flags that say where the toolkit works and what restricts it. */
import type { ToolRuleOptions } from "./cli-options.ts";
import { type FlagsOf, switchFlag, textFlag } from "./command.ts";
import type { Terminal } from "./terminal.ts";

export const TOOL_RULE_FLAGS = {
  workspace: textFlag("The folder to work in (default: TAZUNA_WORKSPACE, else this one)", "DIR"),
  readOnly: switchFlag("Refuse every command and every write"),
  policy: textFlag("Which tools are allowed; one that the file does not name is denied", "FILE"),
} as const;

export function toolRuleOptions(
  { workspace, readOnly, policy }: FlagsOf<typeof TOOL_RULE_FLAGS>,
  { absolute }: Pick<Terminal, "absolute">,
): ToolRuleOptions {
  return {
    workspace: workspace === undefined ? null : absolute(workspace),
    readOnly,
    policyFile: policy === undefined ? null : absolute(policy),
  };
}
