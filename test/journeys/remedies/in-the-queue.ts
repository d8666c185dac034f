/** Asks for changes of a queue that it cannot take, and follows what each refusal says. */
import { ask, gate } from "../../helpers/journey.ts";
import type { Scene } from "./obey.ts";

export const IN_THE_QUEUE: Scene = {
  title: "runs in the queue, and runs that have left it",
  codes: ["begins_attempt", "message_too_long", "no_such_position", "run_began", "run_ended", "words_fixed"],
  async play(product, obey) {
    const barrier = gate(product, "in-the-queue");
    await product.agent("doer", '. "$TAZUNA_INSTRUCTION_FILE"; echo Done.');
    await product.configure({ limits: { parallel: 1 } });
    const start = (script: string) => ask(product, ["run", script, "--agent", "doer", "--detach"]);
    const { attempt, run } = await start(`${barrier.wait}; echo one > one.txt`);
    await barrier.reached();
    const more = async (...words: string[]) =>
      (await ask(product, ["continue", attempt.id, ...words, "--detach"])).run.id;
    const queue = (...words: string[]) => ["queue", attempt.id, ...words];

    const next = await more("echo two > two.txt");
    await obey({ code: "no_such_position", args: queue("move", next, "7"), type: "commands" });
    const only = await more("--resolve");
    await obey({ code: "words_fixed", args: queue("edit", only, "x"), type: "first" });
    const mine = await more("--message", "Mine");
    const again = queue("edit", mine, "Water them");
    await obey({
      code: "message_too_long",
      args: queue("edit", mine, "x".repeat(20_001)),
      type: "again",
      again,
    });
    const other = await start("echo other > other.txt");
    await obey({
      code: "begins_attempt",
      args: ["queue", other.attempt.id, "remove", other.run.id],
      type: "commands",
    });
    await obey({ code: "run_began", args: queue("edit", run.id, "x"), type: "first" });
    await obey({ code: "run_ended", args: queue("remove", run.id), type: "first" });
    await barrier.open();
  },
};
