/** Holds that machines of this folder's tests can lose what they have open between them, as at a firewall. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { type Machine, network } from "../../helpers/network/machines.ts";
import { whyNoNamespaces } from "../../helpers/network/namespaces.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(120_000);

const missing = whyNoNamespaces();
const why = missing === null ? "" : ` (skipped: ${missing})`;

/** Says its name on each connection all the time, and prints what it hears there. */
const SPEAKER = `
import { connect, createServer } from "node:net";
const [name, address, how] = process.argv.slice(1);
const speak = (socket) => {
  setInterval(() => socket.write(name + " "), 20);
  socket.on("data", (said) => console.log(String(said)));
  socket.on("error", () => undefined);
  socket.on("close", () => console.log("closed"));
};
if (how === "serves") createServer(speak).listen(7001, address, () => console.log("ready"));
else {
  const socket = connect(7001, address, () => speak(socket));
}
`;

/** Answers how often it has heard a word. */
function speaker(own: Machine, ...words: readonly string[]): (word: string) => number {
  const child = Bun.spawn([...own.behind, process.execPath, "-e", SPEAKER, ...words], { stdout: "pipe" });
  let heard = "";
  void (async () => {
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) heard += piece;
  })();
  return (word) => heard.split(word).length - 1;
}

test.skipIf(missing !== null)(
  deep(`what is open between two machines is dropped without a word, and what is opened anew works${why}`),
  async () => {
    await using own = await network(["one", "two"]);
    const { one, two } = own.machines;
    const served = speaker(two, "there", two.address, "serves");
    await waitFor("it to serve", () => served("ready") > 0);
    const old = speaker(one, "old", two.address);
    await waitFor("both to hear each other", () => old("there") > 0 && served("old") > 0);
    one.drop(two);
    const young = speaker(one, "young", two.address);
    await waitFor("both to hear each other again", () => young("there") > 0 && served("young") > 0);
    const before = [old("there"), served("old")];
    const [count, more] = [young("there"), 50];
    await waitFor("more to be heard", () => young("there") >= count + more);
    expect([old("there"), served("old"), old("closed"), served("closed")]).toEqual([...before, 0, 0]);
  },
);
