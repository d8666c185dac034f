/** Runs the server in this terminal until it is told to stop. */
import { ok } from "neverthrow";
import { defineCommand, switchFlag, textFlag } from "../../shared/command.ts";
import { parsePort } from "../../shared/port.ts";
import { jsonText } from "../../shared/print.ts";

export const serveCommand = defineCommand({
  brief: "Run the server in this terminal until Ctrl-C",
  flags: {
    port: {
      kind: "parsed",
      parse: parsePort,
      optional: true,
      brief: "The port; 0 takes a free one",
      placeholder: "N",
    },
    host: textFlag("The address to listen on (default: this machine only)", "H"),
    database: textFlag("Another database than the one in the data folder", "URL"),
    open: switchFlag("Open the status page in the browser"),
    idleExit: {
      kind: "parsed",
      parse: parseSeconds,
      optional: true,
      brief: "End by itself after so many seconds without work and without a client",
      placeholder: "S",
    },
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
    return served.andThen(() => ok({ exit: 0 as const }));
  },
});

function parseSeconds(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error("a whole number of seconds is needed");
  return Number(text);
}
