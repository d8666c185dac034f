/** Tells that a program which swaps places in a worktree leads Tazuna nowhere else; only that run may fail. */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { ask, PATIENCE_MS } from "../../helpers/journey.ts";
import { sandboxHere, skippedWithout, underEach } from "../../helpers/sandbox.ts";
import { tally } from "../../helpers/tally.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { type Held, liveOn, openGround } from "./ground.ts";

setDefaultTimeout(PATIENCE_MS);

/** One turn of a loop in the worktree; `$outside` is a folder of the user's. */
const SWAPS: readonly { readonly name: string; readonly turn: string }[] = [
  {
    name: "a folder and a link out of the tree",
    turn: `mv src aside && ln -s "$outside" src; rm -f src; [ -d src ] || mv aside src; [ -e README.md ] || : > README.md`,
  },
  {
    name: "`.git` and pointers elsewhere",
    turn: `cp .git "$outside.pointer" 2>/dev/null; rm -rf .git; ln -s "$outside" .git; rm -f .git; mkdir .git; rmdir .git; echo "gitdir: $outside" > .git; cp "$outside.first" .git`,
  },
  {
    name: "a file, a pipe, a folder and a link to the user's file",
    turn: `rm -rf spot; echo x > spot; rm -rf spot; mkfifo spot; rm -rf spot; mkdir spot; rm -rf spot; ln -s "$outside/theirs.txt" spot; echo "$(date +%N)" > src/grown; chmod 000 src/file7; chmod 644 src/file7`,
  },
];

describe.each(["sandbox", "guard"] as const)("swapped again and again, under the %s", (held: Held) => {
  for (const { name, turn } of SWAPS)
    test.skipIf(held === "sandbox" && !sandboxHere.available)(
      underEach(held, `${name}${held === "sandbox" ? skippedWithout : ""}`),
      async () => {
        const ground = await openGround(held);
        try {
          const { product, outside } = ground;
          await product.agent(
            "maker",
            // Only at first, before the swapping: what this program itself writes through a link is not
            // Tazuna's doing.
            `[ -e made ] || { mkdir -p src; for n in $(seq 40); do echo "$n" > src/file$n; done; touch made; }
             date > "time$$.txt"`,
          );
          const end = await ask(product, ["run", "Make it", "--agent", "maker"]);
          ground.ours(end);
          const before = await ground.others();
          const { worktree } = end.attempt;
          let turns = 0;
          const first = Bun.spawnSync(["cp", join(worktree, ".git"), `${outside}.first`]);
          expect(first.success).toBe(true);
          const swapper = Bun.spawn(
            ["sh", "-c", `cd "$1" || exit; while :; do ${turn}; echo; done 2>/dev/null`, "swapper", worktree],
            {
              env: { PATH: process.env.PATH ?? "", outside },
              stdout: "pipe",
              stderr: "ignore",
            },
          );
          const counted = (async () => {
            for await (const chunk of swapper.stdout) turns += chunk.length;
          })();
          await waitFor("the swapper to swap", () => turns > 3);
          await liveOn(product, end, { raced: true });
          swapper.kill("SIGKILL");
          await counted;
          expect(await ground.others()).toEqual(before);
          expect(turns).toBeGreaterThan(20);
          expect((await product.tazuna(["list", "--json"])).code).toBe(0);
          tally("attack", `swapping ${name}`, { under: held });
        } finally {
          await ground.dispose();
        }
      },
    );
});
