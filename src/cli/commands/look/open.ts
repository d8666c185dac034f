/** Opens the status page in the browser with a link that signs it in. */
import { err, ok } from "neverthrow";
import { defineCommand, optionalArgument } from "../../shared/command.ts";
import { createEngine } from "../../shared/engine.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";

export const openCommand = defineCommand({
  brief: "Open the status page in the browser, signed in; elsewhere print the link, which works once",
  args: [optionalArgument("ATTEMPT", "Lead to this attempt")],
  async act(scope, _flags, id) {
    const engine = createEngine(scope, { foreground: false });
    const found = id === undefined ? null : await resolveAttempt(engine, id);
    if (found?.isErr()) return err(found.error);
    const attempt = found?.isOk() ? found.value.attempt.id : null;
    const link = await engine.ask((client) => client.link({ attempt }));
    if (link.isErr()) return err(link.error);
    const { url } = link.value;
    const browser =
      scope.json || !scope.terminal.stdout.isTerminal ? false : await scope.terminal.openUrl(url);
    return ok({ exit: 0, document: { url }, text: browser ? `Opened ${url}\n` : `${url}\n` });
  },
});
