/** Shows what an attempt changed, or how two attempts differ. */
import { err, ok, type Result } from "neverthrow";
import type { Client } from "../../../contract/client/client.ts";
import type { DiffFile, DiffFiles } from "../../../contract/endpoints/attempts.ts";
import { failed } from "../../shared/cli-error.ts";
import type { CliError } from "../../shared/cli-options.ts";
import {
  argument,
  defineCommand,
  type Outcome,
  optionalArgument,
  switchFlag,
  textFlag,
} from "../../shared/command.ts";
import type { Engine } from "../../shared/engine.ts";
import { jsonText } from "../../shared/print.ts";
import { resolveAttempt } from "../../shared/resolve-id.ts";
import { jsonPatchWriter, type PatchWriter, patchWriter, statText } from "../../view/diff-text.ts";

export const diffCommand = defineCommand({
  brief: "Show what an attempt changed against its base, or how two attempts differ",
  args: [argument("ATTEMPT", "The attempt"), optionalArgument("OTHER", "Another attempt")],
  flags: {
    stat: switchFlag("Only the files and their numbers of lines"),
    from: textFlag("Only what was edited on a worker that came back", "WORKER"),
  },
  async *act({ engine, terminal, json }, { stat, from }, id, otherId) {
    const { attempt } = yield* await resolveAttempt(engine, id);
    const other = otherId === undefined ? null : (yield* await resolveAttempt(engine, otherId)).attempt.id;
    const asked = { engine, attempt: attempt.id, other, worker: from ?? null };
    if (!stat && !json) return printPatch(asked, patchWriter(terminal.stdout));
    const files = yield* await everyFile(asked);
    if (!stat) {
      const writer = jsonPatchWriter(terminal.stdout, files, jsonText);
      return printPatch(asked, writer, writer.begin);
    }
    return ok({ document: { files, patch: "" }, text: (columns) => statText(files, columns) });
  },
});

interface Asked {
  readonly engine: Engine;
  readonly attempt: string;
  readonly other: string | null;
  /** That came back. */
  readonly worker: string | null;
}

/** Reads the files page by page. */
async function everyFile({
  engine,
  attempt,
  other,
  worker,
}: Asked): Promise<Result<readonly DiffFile[], CliError>> {
  const files: DiffFile[] = [];
  for (let cursor: string | null = null; ; ) {
    const query: Parameters<Client["diffFiles"]>[1] = { cursor, limit: PAGE, other, worker };
    const page: Result<DiffFiles, CliError> = await engine.ask((client) => client.diffFiles(attempt, query));
    if (page.isErr()) return err(page.error);
    files.push(...page.value.files);
    cursor = page.value.next;
    if (cursor === null) return ok(files);
  }
}

const PAGE = 200;

/** Prints piece by piece, so that the length of the patch does not matter. */
async function printPatch(
  { engine, attempt, other, worker }: Asked,
  writer: PatchWriter,
  begin: () => Promise<void> = async () => {},
): Promise<Outcome> {
  const answer = await engine.ask((client) => client.patch(attempt, { other, worker }));
  if (answer.isErr()) return err(answer.error);
  await begin();
  try {
    for await (const piece of answer.value.body ?? []) await writer.piece(piece);
  } catch {
    return err(CUT_OFF);
  }
  await writer.end();
  return ok({});
}

const CUT_OFF: CliError = failed({
  code: "patch_cut_off",
  message: "The patch could not be read to its end.",
  remedy: "Run the command again; `server.log` in the data folder says more.",
});
