/** Opens the control room in the browser with a link that signs it in. */
import { ok } from "neverthrow";
import { defineCommand, optionalArgument } from "../../shared/command.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";

export const openCommand = defineCommand({
  brief: "Open the control room in the browser, signed in; elsewhere print the link, which works once",
  args: [optionalArgument("ATTEMPT", "Lead to this attempt")],
  async *act({ engine, terminal, json }, _flags, id) {
    const attempt = id === undefined ? null : (yield* await resolveAttempt(engine, id)).attempt.id;
    const { url } = yield* await engine.ask((client) => client.link({ attempt }));
    const browser = !json && terminal.stdout.isTerminal && (await terminal.openUrl(url));
    return ok({ document: { url }, text: browser ? `Opened ${url}\n` : `${url}\n` });
  },
});
