/** Asks to take and to fork what cannot be taken or forked, and follows what each refusal says. */
import { ask } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";
import type { Obey, Scene } from "./obey.ts";

const SCRIPT = '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.';

const run = (product: Product, script: string, ...more: string[]) =>
  ask(product, ["run", script, "--agent", "doer", ...more]);

export const TAKEN_TOGETHER: Scene = {
  title: "what cannot be taken together or forked",
  codes: [
    "another_task",
    "does_not_fit",
    "file_not_changed",
    "no_tree",
    "nothing_to_review",
    "nothing_to_take",
    "run_not_ended",
  ],
  async play(product, obey) {
    await product.agent("doer", SCRIPT);
    await ofSeveral(product, obey);
    await onOlderBase(product, obey);
    await whileItWorks(product, obey);
  },
};

async function ofSeveral(product: Product, obey: Obey): Promise<void> {
  await product.agent("other", "echo other > README.md; echo Done.");
  const end = await run(product, "echo one > README.md; echo one > one.txt", "--agent", "other");
  const task = end.document.task.id;
  const [one, other] = end.attempts.map(({ id }) => id);
  const take = (...takes: string[]) => ["compose", task, ...takes.flatMap((each) => ["--take", each])];
  const together = take(`${one}:README.md`, `${other}:README.md`);
  const apart = take(`${one}:README.md`, `${one}:one.txt`);
  await obey({ code: "does_not_fit", args: together, type: "commands and again", again: apart });
  const wrong = take(`${other}:one.txt`);
  await obey({
    code: "file_not_changed",
    args: wrong,
    type: "commands and again",
    again: take(`${one}:one.txt`),
  });
  const elsewhere = await run(product, "echo x > x.txt");
  const foreign = take(`${elsewhere.attempt.id}:x.txt`);
  await obey({ code: "another_task", args: foreign, type: "commands" });
  const idle = await run(product, "true");
  const nothing = ["compose", idle.document.task.id, "--take", `${idle.attempt.id}:.`];
  await obey({ code: "nothing_to_take", args: nothing, type: "commands" });
  const idleReview = ["review", idle.attempt.id, "--agent", "doer"];
  await obey({ code: "nothing_to_review", args: idleReview, type: "commands" });
  const review = await ask(product, ["review", `${one}`, "--agent", "doer", "true"]);
  await obey({ code: "no_tree", args: ["fork", review.run.id, "--agent", "doer"], type: "commands" });
}

async function onOlderBase(product: Product, obey: Obey): Promise<void> {
  const older = await run(product, "echo mine > README.md");
  await product.sandbox.commitTo(product.origin, "main", { "README.md": "since\n" });
  const args = ["fork", older.run.id, "echo b > b.txt", "--agent", "doer"];
  const newer = await ask(product, args);
  await ask(product, [
    "continue",
    newer.attempt.id,
    "git checkout HEAD -- . || true; echo since > README.md",
    "--merge-base",
    "--resolve",
  ]);
  const both = [`${older.attempt.id}:README.md`, `${newer.attempt.id}:b.txt`];
  await product.agent("doer", "echo both > README.md; echo Done.");
  await obey({
    code: "does_not_fit",
    args: ["compose", older.document.task.id, ...both.flatMap((each) => ["--take", each])],
    type: "commands and again",
  });
  await product.agent("doer", SCRIPT);
}

async function whileItWorks(product: Product, obey: Obey): Promise<void> {
  const { document, attempt } = await run(product, "sleep 2; echo slow > slow.txt", "--detach");
  const take = ["compose", document.task.id, "--take", `${attempt.id}:slow.txt`];
  await obey({ code: "run_not_ended", args: take, type: "first" });
  const again = await ask(product, take);
  if (again.code !== 0) throw new Error("it has ended, and can be taken from");
}
