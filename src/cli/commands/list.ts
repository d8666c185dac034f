/** Lists tasks and their attempts. */
import { type CommonFlags, defineCommand, JSON_FLAG, switchFlag, textFlag } from "../command.ts";
import { createEngine } from "../engine.ts";
import { taskList } from "../view/task-text.ts";

type Flags = CommonFlags & {
  readonly all: boolean;
  readonly limit: number;
  readonly cursor?: string;
};

export const listCommand = defineCommand<Flags, []>({
  brief: "List tasks and their attempts, the newest first",
  parameters: {
    positional: { kind: "tuple", parameters: [] },
    flags: {
      all: switchFlag("Cancelled and removed ones too"),
      limit: {
        kind: "parsed",
        parse: parseLimit,
        default: "50",
        brief: "How many tasks, at most 200",
        placeholder: "N",
      },
      cursor: textFlag("Go on where an earlier page ended (its `next`)", "NEXT"),
      ...JSON_FLAG,
    },
  },
  async act(scope, { all, limit, cursor }) {
    const engine = createEngine(scope, { foreground: false });
    const page = await engine.ask((client) => client.tasks({ all, limit, cursor: cursor ?? null }));
    return page.map(({ items, next }) => ({
      exit: 0,
      document: { tasks: items, next },
      text: (columns) => listText(taskList(items, columns), items.length, next),
    }));
  },
});

function listText(table: string, count: number, next: string | null): string {
  if (count === 0)
    return 'Nothing yet. Start with `tazuna run "INSTRUCTION" --agent ID`, or see `tazuna demo`.\n';
  return next === null ? table : `${table}\nMore: \`tazuna list --cursor ${next}\`\n`;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > 200) throw new Error("a number from 1 to 200 is needed");
  return limit;
}
