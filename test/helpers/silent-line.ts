/** A line to a Postgres that can lose its connections without a word, as a firewall does. */
import { type AddressInfo, connect, createServer } from "node:net";

export interface SilentLine extends AsyncDisposable {
  /** An address of the same database, over this line. */
  readonly url: string;
  /** From now on, nothing passes any more on the connections that are there. New ones work. */
  drop(): void;
  /** From now on, nothing of `lost` passes on any connection, also on new ones; null lets new ones work again. */
  cut(lost: Lost | null): void;
  /** The next transaction that sends these words is committed, and its connection ends before the answer. */
  loseCommitOf(words: string): void;
}

/** What a line loses: all, or what the database answers to what it still hears. */
export type Lost = "all" | "answers";

/** `url` names the folder of a Postgres socket. */
export async function silentLine(url: string): Promise<SilentLine> {
  const folder = new URLSearchParams(url.slice(url.indexOf("?"))).get("host");
  const pairs = new Set<{ lost: Lost | null }>();
  let always: Lost | null = null;
  const wanted: { words: string | null } = { words: null };
  const server = createServer((near) => {
    const pair = { lost: always };
    pairs.add(pair);
    const far = connect(`${folder}/.s.PGSQL.5432`);
    let isDoomed = false;
    near.on("data", (bytes) => {
      if (wanted.words !== null && bytes.includes(wanted.words)) {
        wanted.words = null;
        isDoomed = true;
      }
      if (!isDoomed || !/\bcommit\0/i.test(bytes.toString("latin1"))) return;
      // Its answer says that it is stored; nobody hears it.
      pair.lost = "all";
      far.write(bytes);
      far.once("data", () => near.destroy());
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      const isLost = () => pair.lost === "all" || (pair.lost === "answers" && from === far);
      from.on("data", (bytes) => void (isLost() || to.write(bytes)));
      from.on("end", () => void (isLost() || to.end()));
      from.on("error", () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    drop: () => {
      for (const pair of pairs) pair.lost = "all";
    },
    cut: (lost) => {
      always = lost;
      // What was lost on a connection never comes: it stays silent also when the line is there again.
      for (const pair of pairs) pair.lost ??= lost;
    },
    loseCommitOf: (words) => {
      wanted.words = words;
    },
    [Symbol.asyncDispose]: async () => void server.close(),
  };
}
