/** Undoes an operation, and shows the state before and after. */
import { err } from "neverthrow";
import { badUsage } from "../../shared/cli-error.ts";
import { argument, defineCommand } from "../../shared/command.ts";
import { operationText } from "../../view/operation-text.ts";

export const undoCommand = defineCommand({
  brief: "Take an operation back, as far as what it did still stands as it left it",
  args: [argument("OPERATION", "Its id, as `tazuna activity` lists it")],
  async act({ engine }, _flags, id) {
    if (id.trim() === "") return err(badUsage("The id is empty.", "`tazuna activity` shows the ids."));
    const undone = await engine.ask((client) => client.undo(id));
    return undone.map((document) => ({ document, text: operationText(document.operation) }));
  },
});
