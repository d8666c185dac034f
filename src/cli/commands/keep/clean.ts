/** Removes what is finished: shows what would go and what stays, each with its reason; with --yes does it. */
import { err } from "neverthrow";
import { badUsage } from "../../shared/cli-error.ts";
import { defineCommand, JSON_FLAG, optionalArgument, switchFlag } from "../../shared/command.ts";
import { cleanText } from "../../view/clean-text.ts";

export const cleanCommand = defineCommand({
  brief: "Say which finished attempts can be put into the trash, and why the others stay; with --yes do it",
  args: [
    optionalArgument(
      "ID",
      "A task, an attempt or a run: it goes although it may hold work, after a snapshot",
    ),
  ],
  flags: { ...JSON_FLAG, yes: switchFlag("Do it") },
  async act({ engine }, { yes }, id) {
    if (id?.trim() === "") return err(badUsage("The id is empty.", "`tazuna list` shows the ids."));
    const cleaned = await engine.ask((client) => client.clean({ id: id ?? null, yes }));
    return cleaned.map((document) => ({
      // A thing that was named and stays was not cleaned: the command failed.
      exit: yes && id !== undefined && document.kept.length > 0 ? 1 : 0,
      document,
      text: cleanText(document, { yes, id: id ?? null }),
    }));
  },
});
