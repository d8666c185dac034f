/** Serves the toolkit to an agent over MCP, or the verbs of the API to a person's own agent. */
import { err, ok } from "neverthrow";
import { parsePort } from "../../shared/checked-value.ts";
import { badUsage } from "../../shared/cli-error.ts";
import { defineCommand, parsedFlag, switchFlag } from "../../shared/command.ts";
import { jsonText } from "../../shared/print.ts";
import { TOOL_RULE_FLAGS, toolRuleOptions } from "../../shared/tool-flags.ts";

export const mcpCommand = defineCommand({
  brief:
    "Serve the toolkit to an agent over MCP, until it goes or Ctrl-C; with --control, let your own agent steer Tazuna",
  flags: {
    ...TOOL_RULE_FLAGS,
    control: switchFlag("Serve tools that create, watch, compare, choose and merge, as the commands do"),
    http: parsedFlag(
      parsePort,
      "Listen on this port of this machine instead of standard input and output; 0 takes a free one",
      "PORT",
    ),
  },
  async act({ entries, terminal, json }, { http, control, ...flags }) {
    if (control && (flags.readOnly || flags.policy !== undefined)) return err(NOT_NARROWED);
    const options = { ...toolRuleOptions(flags, terminal), control, httpPort: http ?? null };
    const served = await entries.mcp(options, ({ url, token }) => {
      if (json) terminal.stdout.write(jsonText({ url, token }, { oneLine: true }));
      else terminal.stderr.write(`Tazuna serves its tools over MCP at ${url} (bearer token ${token})\n`);
    });
    return served.andThen(() => ok({}));
  },
});

const NOT_NARROWED = badUsage(
  "--read-only and --policy are for the toolkit, not for --control.",
  "Leave them out, or leave out `--control`.",
);
