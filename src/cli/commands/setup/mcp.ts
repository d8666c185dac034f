/** Serves the toolkit to an agent over MCP. */
import { ok } from "neverthrow";
import { parsePort } from "../../shared/checked-value.ts";
import { defineCommand, parsedFlag } from "../../shared/command.ts";
import { jsonText } from "../../shared/print.ts";
import { TOOL_RULE_FLAGS, toolRuleOptions } from "../../shared/tool-flags.ts";

export const mcpCommand = defineCommand({
  brief: "Serve the toolkit to an agent over MCP, until it goes or Ctrl-C",
  flags: {
    ...TOOL_RULE_FLAGS,
    http: parsedFlag(
      parsePort,
      "Listen on this port of this machine instead of standard input and output; 0 takes a free one",
      "PORT",
    ),
  },
  async act({ entries, terminal, json }, { http, ...flags }) {
    const options = { ...toolRuleOptions(flags, terminal), httpPort: http ?? null };
    const served = await entries.mcp(options, ({ url, token }) => {
      if (json) terminal.stdout.write(jsonText({ url, token }, { oneLine: true }));
      else terminal.stderr.write(`Tazuna serves its tools over MCP at ${url} (bearer token ${token})\n`);
    });
    return served.andThen(() => ok({}));
  },
});
