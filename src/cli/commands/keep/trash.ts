/** Lists the trash, restores things from it, deletes them for good. */
import { err } from "neverthrow";
import type { ClearedAnswer, TrashDocument } from "../../../contract/endpoints/trash.ts";
import { cleanLine } from "../../../contract/text.ts";
import { badUsage } from "../../shared/cli-error.ts";
import { argument, defineCommand, JSON_FLAG, switchFlag } from "../../shared/command.ts";
import { shortId } from "../../shared/resolve-id.ts";
import { sizeText } from "../../view/size-text.ts";
import { tableText } from "../../view/table.ts";

export const trashListCommand = defineCommand({
  brief: "List the worktrees in the trash, the newest first",

  async act({ engine }) {
    const list = await engine.ask((client) => client.trash());
    return list.map(({ items }) => ({
      document: { entries: items },
      text: (columns) => (items.length === 0 ? "The trash is empty.\n" : listText(items, columns)),
    }));
  },
});

export const trashRestoreCommand = defineCommand({
  brief: "Bring an attempt back: its branch, its worktree at the old place, and every file, ignored ones too",
  args: [argument("ID", "Of an entry of the trash, or of its attempt")],
  async act({ engine }, _flags, id) {
    if (id.trim() === "") return err(badUsage("The id is empty.", "`tazuna trash list` shows the ids."));
    const restored = await engine.ask((client) => client.restoreTrash(id));
    return restored.map((document) => ({
      document,
      text: `Brought back to ${cleanLine(document.path)}\n`,
    }));
  },
});

export const trashEmptyCommand = defineCommand({
  brief: "Say what in the trash could be deleted for good; with --yes delete it",
  flags: { ...JSON_FLAG, yes: switchFlag("Delete it") },
  async act({ engine }, { yes }) {
    const emptied = await engine.ask((client) => client.emptyTrash({ yes }));
    return emptied.map((document) => ({
      document,
      text: (columns) => emptiedText(document, { yes, columns }),
    }));
  },
});

function listText(entries: readonly TrashDocument[], columns: number): string {
  return tableText(
    ["ENTRY", "ATTEMPT", "SIZE", "DELETED", "PATH"],
    entries.map(({ id, attempt, bytes, deleted_at, path }) => [
      shortId(id),
      shortId(attempt),
      sizeText(bytes),
      deleted_at,
      cleanLine(path),
    ]),
    columns,
  );
}

function emptiedText(
  { removed, kept }: ClearedAnswer,
  { yes, columns }: { readonly yes: boolean; readonly columns: number },
): string {
  if (removed.length + kept.length === 0) return "The trash is empty.\n";
  const bytes = removed.reduce((sum, entry) => sum + entry.bytes, 0);
  const rows = [
    ...removed.map((entry) => [shortId(entry.id), yes ? "deleted" : "would go", sizeText(entry.bytes)]),
    ...kept.map(({ id, reason }) => [shortId(id), "kept", cleanLine(reason)]),
  ];
  const total = `${yes ? "Deleted" : "Would delete"} ${removed.length} (${sizeText(bytes)}), kept ${kept.length}.`;
  const how = yes || removed.length === 0 ? "" : " Nothing was deleted: `tazuna trash empty --yes` does it.";
  return `${tableText(["ENTRY", "WHAT", ""], rows, columns)}\n${total}${how}\n`;
}
