/** Lists tasks and their attempts, by default those of the current repository. */
import { cleanLine, shellWord } from "../../../contract/text.ts";
import { limitFlag } from "../../shared/checked-value.ts";
import { defineCommand, type FlagsOf, switchFlag, textFlag } from "../../shared/command.ts";
import { repositoryMeant } from "../../shared/repository-meant.ts";
import { taskList } from "../../view/task-list.ts";

const LIMIT = 50;

/** The current folder is in no repository, or git cannot say in which. Then tasks of every repository are listed. */
const NOT_IN_ONE = ["not_a_repository", "unusable_path", "unsafe_ownership", "git_missing", "git_failed"];

const FLAGS = {
  all: switchFlag("Of every repository, cancelled and removed attempts too"),
  failed: switchFlag("Only attempts that failed"),
  repo: textFlag("Of this repository, a folder or a name", "REPO"),
  limit: limitFlag("How many tasks, at most 200", LIMIT),
  cursor: textFlag("Go on where an earlier page ended (its `next`)", "NEXT"),
} as const;

export const listCommand = defineCommand({
  brief: "List tasks and their attempts, the newest first; inside a repository those of that repository",
  flags: FLAGS,
  async act({ engine, terminal }, flags) {
    const { all, failed, repo, limit, cursor = null } = flags;
    const ask = (repository: string | null) =>
      engine.ask((client) => client.tasks({ all, failed, repository, limit, cursor }));
    const here = repo === undefined && all ? null : repositoryMeant(terminal, repo);
    const asked = await ask(here);
    const elsewhere = asked.isErr() && repo === undefined && NOT_IN_ONE.includes(asked.error.code);
    const page = elsewhere ? await ask(null) : asked;
    return page.map(({ items, next }) => ({
      document: { tasks: items, next },
      text: (columns) => {
        if (items.length === 0) return nothing(flags, { ofOne: here !== null && !elsewhere });
        return `${taskList(items, { columns, now: terminal.now() })}${moreText(flags, next)}`;
      },
    }));
  },
});

/** The command for the next page of the same list. */
function moreText({ all, failed, repo, limit }: FlagsOf<typeof FLAGS>, next: string | null): string {
  if (next === null) return "";
  const flags = [
    ...(all ? ["--all"] : []),
    ...(failed ? ["--failed"] : []),
    ...(repo === undefined ? [] : [`--repo ${shellWord(cleanLine(repo))}`]),
    ...(limit === LIMIT ? [] : [`--limit ${limit}`]),
    `--cursor ${next}`,
  ];
  return `\nMore: \`tazuna list ${flags.join(" ")}\`\n`;
}

function nothing({ failed, all }: FlagsOf<typeof FLAGS>, { ofOne }: { readonly ofOne: boolean }): string {
  const where = ofOne ? " in this repository" : "";
  if (failed) return `No attempt has failed${where}.\n`;
  const more = all ? "" : " `tazuna list --all` shows every repository, and what was removed.";
  const start = "Start with `tazuna run`, or see `tazuna demo`.";
  return `Nothing${ofOne ? where : " yet"}. ${start}${ofOne ? more : ""}\n`;
}
