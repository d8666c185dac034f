/** Runs the server in this terminal until it is told to stop. */
import { ok } from "neverthrow";
import { parsePort } from "../../shared/checked-value.ts";
import { defineCommand, parsedFlag, switchFlag, textFlag } from "../../shared/command.ts";
import { jsonText } from "../../shared/print.ts";

export const serveCommand = defineCommand({
  brief: "Run the server in this terminal until Ctrl-C",
  flags: {
    port: parsedFlag(parsePort, "The port; 0 takes a free one", "N"),
    host: textFlag("The address to listen on (default: this machine only)", "H"),
    database: textFlag("Another database than the one in the data folder", "URL"),
    open: switchFlag("Open the control room in the browser"),
    idleExit: parsedFlag(
      parseSeconds,
      "End by itself after so many seconds without work and without a client",
      "S",
    ),
  },
  async act({ entries, terminal, json }, { port, host, database, open, idleExit }) {
    const options = {
      port: port ?? null,
      host: host ?? null,
      database: database ?? null,
      open,
      idleExitS: idleExit ?? null,
    };
    const served = await entries.serve(options, ({ url, link }) =>
      terminal.stdout.write(
        json
          ? jsonText({ url, link }, { oneLine: true })
          : `Tazuna serves ${url} and signs you in once with ${link}\n`,
      ),
    );
    return served.andThen(() => ok({}));
  },
});

function parseSeconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error("a whole number of seconds is needed");
  return Number(text);
}
