/** Lists the repositories that Tazuna knows, adds one, or records that one was moved. */
import { err } from "neverthrow";
import { looksLikeAddress } from "../../../contract/clone-address.ts";
import type { ListedRepositoryDocument } from "../../../contract/endpoints/repositories.ts";
import { joinedByAddress } from "../../../contract/same-repository.ts";
import type { RepositoryDocument } from "../../../contract/task-document.ts";
import { cleanLine, shellWord } from "../../../contract/text.ts";
import { badUsage } from "../../shared/cli-error.ts";
import { argument, type Done, defineCommand, optionalArgument } from "../../shared/command.ts";
import { shortId } from "../../shared/resolve-id.ts";
import { tableText } from "../../view/table.ts";
import { cloneFromUrl } from "../../wait/clone-from-url.ts";

export const repoListCommand = defineCommand({
  brief: "List the repositories that Tazuna knows",

  async act({ engine }) {
    const list = await engine.ask((client) => client.repositories());
    return list.map(({ items }) => shown(items));
  },
});

export const repoAddCommand = defineCommand({
  brief: "Make a repository known; one that is named by an address is cloned",
  args: [optionalArgument("DIR|URL", "A folder in it, or its address (default: the one you are in)")],
  async act({ engine, terminal }, _flags, place) {
    const meant = place ?? ".";
    if (looksLikeAddress(meant) && !terminal.isFolder(meant))
      return (await cloneFromUrl({ engine, terminal }, meant)).map((repository) => shown([repository]));
    const path = terminal.absolute(meant);
    const added = await engine.ask((client, once) => client.addRepository({ path }, once));
    return added.map((repository) => shown([repository]));
  },
});

export const repoMoveCommand = defineCommand({
  brief: "Say where a repository lies now",
  args: [
    argument("REPOSITORY", "Its id or name, as `tazuna repo` lists it"),
    argument("DIR", "Where it lies now"),
  ],
  async act({ engine, terminal }, _flags, id, dir) {
    if (id.trim() === "") return err(badUsage("The id is empty.", "`tazuna repo list` shows the ids."));
    const path = terminal.absolute(dir);
    const moved = await engine.ask((client) => client.moveRepository(id, { path }));
    return moved.map((repository) => shown([repository]));
  },
});

export const repoRemoveCommand = defineCommand({
  brief: "Take a repository out of the list; nothing is deleted",
  args: [argument("REPOSITORY", "Its id or name, as `tazuna repo` lists it")],
  async act({ engine }, _flags, named) {
    if (named.trim() === "") return err(badUsage("The id is empty.", "`tazuna repo list` shows the ids."));
    const removed = await engine.ask((client) => client.removeRepository(named));
    return removed.map((document) => {
      const { repository, tasks, trashed } = document;
      const path = cleanLine(repository.path);
      const isClone = repository.url !== null;
      const lines = [
        `${path} is out of the list. Nothing in it was changed.`,
        ...(isClone ? ["This clone stays there: it holds the branches and snapshots of its attempts."] : []),
        ...(tasks === 0 ? [] : [`Its tasks (${tasks}) stay on record: \`tazuna list --all\` shows them.`]),
        ...(trashed === 0
          ? []
          : [`Its worktrees in the trash (${trashed}) stay there: \`tazuna trash list\`.`]),
        `\`tazuna repo add ${shellWord(repository.url ?? path)}\` puts it back.`,
      ];
      return { document, text: `${lines.join("\n")}\n` };
    });
  },
});

/** An older engine names no worker, and knows of no clone that went. */
type Listed = RepositoryDocument & Partial<Pick<ListedRepositoryDocument, "worker" | "put_away">>;

/** The text names a repository of several workers once; the document lists each. */
function shown(repositories: readonly Listed[]): Done {
  const hasOthers = repositories.some(({ worker }) => worker);
  const hasClone = repositories.some(({ url }) => url !== null);
  const rows = joinedByAddress(repositories).map(({ repository, workers }) => [
    shortId(repository.id),
    cleanLine(repository.name),
    cleanLine(repository.path),
    ...(hasClone
      ? [`${cleanLine(repository.url ?? "")}${repository.put_away ? " (cloned anew when needed)" : ""}`]
      : []),
    ...(hasOthers ? [cleanLine([...(repository.worker ? [] : ["here"]), ...workers].join(", "))] : []),
  ]);
  const heads = ["ID", "NAME", "PATH", ...(hasClone ? ["CLONE OF"] : []), ...(hasOthers ? ["ON"] : [])];
  const text = (columns: number) =>
    rows.length === 0 ? "No repository yet: `tazuna repo add`.\n" : tableText(heads, rows, columns);
  return { document: { repositories }, text };
}
