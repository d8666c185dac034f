/** Puts away what is finished: says what would go and what stays, each with its reason; with --yes does it. */
import { err } from "neverthrow";
import { badUsage } from "../cli-error.ts";
import { type CommonFlags, defineCommand, JSON_FLAG, optionalArgument, switchFlag } from "../command.ts";
import { createEngine } from "../engine.ts";
import { cleanText } from "../view/clean-text.ts";

type Flags = CommonFlags & { readonly yes: boolean };

export const cleanCommand = defineCommand<Flags, [id?: string]>({
  brief: "Say which finished attempts can be put into the trash, and why the others stay; with --yes do it",
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [
        optionalArgument(
          "ID",
          "A task, an attempt or a run: it goes although it may hold work, after a snapshot",
        ),
      ],
    },
    flags: { ...JSON_FLAG, yes: switchFlag("Do it") },
  },
  async act(scope, { yes }, id) {
    if (id?.trim() === "") return err(badUsage("The id is empty.", "`tazuna list` shows the ids."));
    const engine = createEngine(scope, { foreground: false });
    const cleaned = await engine.ask((client) => client.clean({ id: id ?? null, yes }));
    return cleaned.map((document) => ({
      // What was asked for by name and stays was not done.
      exit: yes && id !== undefined && document.kept.length > 0 ? 1 : 0,
      document,
      text: cleanText(document, { yes, id: id ?? null }),
    }));
  },
});
