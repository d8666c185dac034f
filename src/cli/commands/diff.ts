/** Shows what an attempt changed, or how two attempts differ. */
import { err, ok } from "neverthrow";
import {
  argument,
  type CommonFlags,
  defineCommand,
  JSON_FLAG,
  optionalArgument,
  switchFlag,
} from "../command.ts";
import { createEngine } from "../engine.ts";
import { resolveAttempt } from "../resolve-id.ts";
import { patchText, statText } from "../view/diff-text.ts";

type Flags = CommonFlags & { readonly stat: boolean };

export const diffCommand = defineCommand<Flags, [attempt: string, other?: string]>({
  brief: "Show what an attempt changed against its base, or how two attempts differ",
  parameters: {
    positional: {
      kind: "tuple",
      parameters: [argument("ATTEMPT", "The attempt"), optionalArgument("OTHER", "Another attempt")],
    },
    flags: { stat: switchFlag("Only the files and their numbers of lines"), ...JSON_FLAG },
  },
  async act(scope, { stat }, id, otherId) {
    const engine = createEngine(scope, { foreground: false });
    const found = await resolveAttempt(engine, id);
    if (found.isErr()) return err(found.error);
    const second = otherId === undefined ? null : await resolveAttempt(engine, otherId);
    if (second?.isErr()) return err(second.error);
    const other = second?.isOk() ? second.value.attempt.id : null;
    const diff = await engine.ask((client) => client.diff(found.value.attempt.id, { other }));
    if (diff.isErr()) return err(diff.error);
    const text = (columns: number) =>
      stat ? statText(diff.value, columns) : patchText(diff.value, scope.terminal.stdout);
    return ok({ exit: 0, document: stat ? { ...diff.value, patch: "" } : diff.value, text });
  },
});
