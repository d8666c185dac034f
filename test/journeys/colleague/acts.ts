/** Names what a colleague may do to an attempt's branch and pull request, and what must be true of it ever after. */

import type { ForgeWorld } from "../../helpers/forge-world.ts";
import { type Colleague, colleague } from "../../helpers/github/colleague.ts";
import type { Pull } from "../../helpers/github/garden.ts";

/** What the act is about. */
export interface Of {
  readonly world: ForgeWorld;
  readonly branch: string;
  /** Null until there is one. */
  readonly pull: Pull | null;
  /** How many follow-ups a person has asked for so far. */
  readonly followUps: () => number;
}

/** Answers what is wrong later on; nothing if what the colleague did still stands. */
export type Stands = () => Promise<readonly string[]>;

interface Act {
  /** Whether it needs an open pull request. */
  readonly onPull: boolean;
  act(bob: Colleague, of: Of): Promise<Stands>;
}

export const ACTS: Readonly<Record<string, Act>> = {
  pushes: {
    onPull: false,
    act: async (bob, { world, branch }) => {
      const sha = await bob.pushes(branch, { [`${branch}.bob`]: "theirs\n" });
      return async () => ((await isKept(world, sha)) ? [] : [`their commit on ${branch} is nowhere`]);
    },
  },
  "force-pushes": {
    onPull: false,
    act: async (bob, { world, branch }) => {
      const sha = await bob.forces(branch, "main");
      return async () => {
        const now = await world.headOf(branch);
        return now !== null && (await holds(world, now, sha)) ? [] : [`${branch} left their forced commit`];
      };
    },
  },
  "deletes the branch": {
    onPull: false,
    act: async (bob, { world, branch, followUps }) => {
      await bob.deletes(branch);
      const asked = followUps();
      // Only a follow-up that a person asked for later pushes it again.
      return async () =>
        (await world.headOf(branch)) === null || followUps() > asked ? [] : [`${branch} was made again`];
    },
  },
  "renames the branch": {
    onPull: false,
    act: async (bob, { world, branch }) => {
      const sha = await world.headOf(branch);
      await bob.renames(branch, `${branch}-renamed`);
      return async () =>
        (await world.headOf(`${branch}-renamed`)) === sha ? [] : [`the renamed ${branch} moved`];
    },
  },
  "moves the base": {
    onPull: false,
    act: async (bob, { world, branch }) => {
      const sha = await bob.pushes("main", { [`${branch}.main`]: "theirs\n" });
      return async () => ((await holds(world, "main", sha)) ? [] : ["the base lost a commit"]);
    },
  },
  "edits the title": {
    onPull: true,
    act: async (bob, { pull }) => {
      await bob.edits(pull?.number ?? 0, { title: "Theirs" });
      return async () => (pull?.title === "Theirs" ? [] : [`the title is ${pull?.title}`]);
    },
  },
  "closes it": {
    onPull: true,
    act: async (bob, { pull }) => {
      await bob.edits(pull?.number ?? 0, { state: "closed" });
      return async () => (pull?.state === "closed" && !pull.merged ? [] : ["it was opened or merged"]);
    },
  },
  "merges it": {
    onPull: true,
    act: async (bob, { world, branch, pull }) => {
      await bob.merges(pull?.number ?? 0);
      const commit = pull?.mergeCommit ?? "";
      return async () => {
        const subject = `Merge pull request #${pull?.number}`;
        const found = await world.product.sandbox.git(world.bare, [
          "log",
          "--format=%H",
          `--grep=${subject}$`,
          "main",
        ]);
        return found === commit ? [] : [`${branch} was merged as ${found || "nothing"}, not as ${commit}`];
      };
    },
  },
  "gives it another base": {
    onPull: true,
    act: async (bob, { pull }) => {
      await bob.edits(pull?.number ?? 0, { base: "release" });
      return async () => (pull?.base === "release" ? [] : [`its base is ${pull?.base}`]);
    },
  },
};

/** Lets the colleague do it. */
export async function acted(name: string, of: Of): Promise<Stands> {
  const act = ACTS[name];
  if (act === undefined) throw new Error(`no act ${name}`);
  return act.act(colleague(of.world), of);
}

export function holds({ product, bare }: ForgeWorld, whole: string, part: string): Promise<boolean> {
  return product.sandbox.git(bare, ["merge-base", "--is-ancestor", part, whole]).then(
    () => true,
    () => false,
  );
}

/** Some branch of the remote has it. */
async function isKept({ product, bare }: ForgeWorld, sha: string): Promise<boolean> {
  return (await product.sandbox.git(bare, ["for-each-ref", "--contains", sha])) !== "";
}
