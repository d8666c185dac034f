/** Holds the machines of this folder's tests: what a cable, a lost way and a lost power take away, and what is left of them. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { isRunning } from "../../helpers/is-running.ts";
import { type Machine, type Network, network } from "../../helpers/network/machines.ts";
import { addNamespace, ip, whyNoNamespaces } from "../../helpers/network/namespaces.ts";
import { deep } from "../../helpers/tier.ts";
import { waitFor } from "../../helpers/wait-for.ts";

setDefaultTimeout(120_000);

const missing = whyNoNamespaces();

/** It tells the others a number all the time, and prints whom it hears. */
const TALKER = `
import { createSocket } from "node:dgram";
const [own, ...others] = process.argv.slice(1);
const socket = createSocket("udp4");
socket.on("message", (said, { address }) => console.log(address, String(said)));
socket.on("error", () => undefined);
let last = 0;
socket.bind(7000, own, () => {
  setInterval(() => {
    last += 1;
    for (const other of others) socket.send(String(last), 7000, other, () => undefined);
  }, 20);
});
`;

interface Talker {
  readonly pid: number;
  /** How many numbers it has heard of that machine. */
  heard(from: Machine): number;
}

function talk(own: Machine, others: readonly Machine[]): Talker {
  const words = [own, ...others].map(({ address }) => address);
  const child = Bun.spawn([...own.behind, process.execPath, "-e", TALKER, ...words], { stdout: "pipe" });
  const counts = new Map<string, number>();
  void (async () => {
    let rest = "";
    for await (const piece of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      for (const [from = ""] of lines.map((line) => line.split(" ")))
        counts.set(from, (counts.get(from) ?? 0) + 1);
    }
  })();
  return { pid: child.pid, heard: ({ address }) => counts.get(address) ?? 0 };
}

/** Whether `by` hears nothing of `from` while it hears a lot of what `meter` counts. */
async function hears(by: Talker, from: Machine, meter: () => number): Promise<boolean> {
  const more = async (count: number) => {
    const before = meter();
    await waitFor("more to be heard", () => meter() >= before + count);
  };
  // What is on its way arrives.
  await more(5);
  const before = by.heard(from);
  await more(25);
  return by.heard(from) > before;
}

function hearsAgain(by: Talker, from: Machine): Promise<unknown> {
  const before = by.heard(from);
  return waitFor("one to hear the other again", () => by.heard(from) > before);
}

describe.skipIf(missing !== null)(
  deep(`machines that a network joins${missing === null ? "" : ` (skipped: ${missing})`}`),
  () => {
    let net: Network<"one" | "two" | "three">;
    let talkers: readonly [Talker, Talker, Talker];

    beforeAll(async () => {
      net = await network(["one", "two", "three"]);
      const { one, two, three } = net.machines;
      talkers = [talk(one, [two, three]), talk(two, [one, three]), talk(three, [one, two])];
    });

    afterAll(() => net[Symbol.asyncDispose]());

    test("hear each other, and a pulled cable takes one out in both directions until it is plugged", async () => {
      const { one, two, three } = net.machines;
      const [first, second] = talkers;
      const meter = () => second.heard(three);
      expect([await hears(first, two, meter), await hears(second, one, meter)]).toEqual([true, true]);
      one.pull();
      expect([await hears(first, two, meter), await hears(second, one, meter)]).toEqual([false, false]);
      one.plug();
      await hearsAgain(first, two);
      await hearsAgain(second, one);
    });

    test("one way can be lost: from one machine to one other, and no more", async () => {
      const { one, two, three } = net.machines;
      const [first, second, third] = talkers;
      const meter = () => second.heard(three);
      one.lose(two);
      expect([
        await hears(second, one, meter),
        await hears(first, two, meter),
        await hears(third, one, meter),
      ]).toEqual([false, true, true]);
      one.find(two);
      await hearsAgain(second, one);
    });

    test("a machine without power has lost all that lived there, and is reached again once it is plugged", async () => {
      const { one, two, three } = net.machines;
      const [first, second] = talkers;
      await one.losePower();
      expect(isRunning(first.pid)).toBe(false);
      expect(await hears(second, one, () => second.heard(three))).toBe(false);
      one.plug();
      const again = talk(one, [two]);
      await waitFor("both to hear each other", () => again.heard(two) > 0 && second.heard(one) > 0);
    });

    test("what a test process has left that was killed is removed with the next network", async () => {
      const ended = Bun.spawn(["true"]);
      await ended.exited;
      const left = `tazuna-test-${ended.pid}-1-left`;
      addNamespace(left);
      const lives = Bun.spawn(["nsenter", `--net=/run/netns/${left}`, "--", "sleep", "600"]);
      await waitFor("it to live there", () => ip("netns", "pids", left).includes(String(lives.pid)));
      await using next = await network(["one"]);
      const names = ip("netns", "list");
      if (names.includes(left)) lives.kill();
      expect(names).not.toContain(left);
      await lives.exited;
      expect(lives.signalCode).toBe("SIGKILL");
      expect(next.machines.one.behind).not.toEqual(net.machines.one.behind);
    });
  },
);
