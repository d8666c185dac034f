/** Tells what is read of a push before git sees it, and which names a depot has. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { depotRef, readDepotRef } from "../../src/domain/depot/depot-ref.ts";
import { readPushCommands } from "../../src/domain/depot/push-commands.ts";

const [ZERO, ONE, TWO] = ["0", "1", "2"].map((digit) => digit.repeat(40)) as [string, string, string];
const pkt = (line: string) => (line.length + 4).toString(16).padStart(4, "0") + line;
const read = (text: string) => readPushCommands(new TextEncoder().encode(text));

test("the commands of a push are read up to the first flush, whatever follows", () => {
  const first = pkt(`${ZERO} ${ONE} refs/tazuna/live/a\0 report-status agent=git/2.39.5\n`);
  const second = pkt(`${ONE} ${TWO} refs/heads/main\n`);
  expect(read(`${first}${second}0000PACK....0000`)).toEqual([
    { from: ZERO, to: ONE, ref: "refs/tazuna/live/a" },
    { from: ONE, to: TWO, ref: "refs/heads/main" },
  ]);
  // git asks so whether it would be let in.
  expect(read("0000")).toEqual([]);
});

test("anything else is no push: half of one, a certificate, a shallow clone, or an odd name", () => {
  const whole = `${pkt(`${ZERO} ${ONE} refs/tazuna/live/a\0caps`)}0000`;
  for (let length = 0; length < whole.length; length++) expect(read(whole.slice(0, length))).toBeNull();
  for (const line of [
    "push-cert\0caps",
    `shallow ${ONE}`,
    `${ZERO} ${ONE} HEAD`,
    `${ZERO} ${ONE} refs/heads/a b`,
    `${ZERO}${ONE} refs/heads/a`,
    `${ZERO.slice(1)} ${ONE} refs/heads/a`,
    `${ZERO} ${ONE} refs/heads/a\nrefs/heads/b`,
  ])
    expect(read(`${pkt(line)}0000`)).toBeNull();
  for (const odd of ["0001", "0002", "0003", "0004", "zzzz", "-001", "0x10"])
    expect(read(`${odd}0000`)).toBeNull();
});

test("bytes without order are never taken for commands, and nothing is thrown", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const commands = readPushCommands(bytes);
      expect(commands === null || commands.length === 0).toBe(true);
    }),
  );
});

test("a name of a depot is read as it was made, and no other name is read", () => {
  const id = fc.stringMatching(/^[0-9A-Za-z-]{1,64}$/);
  const number = fc.nat({ max: 999_999_999 });
  const refs = fc.oneof(
    fc.record({
      kind: fc.constantFrom("live" as const, "runs" as const),
      attempt: id,
      run: id,
      epoch: number,
      number,
    }),
    fc.record({ kind: fc.constant("snapshots" as const), attempt: id, number }),
  );
  fc.assert(fc.property(refs, (ref) => expect(readDepotRef(depotRef(ref))).toEqual(ref)));
  for (const name of [
    "refs/heads/main",
    "refs/tazuna/live/a/r/1",
    "refs/tazuna/live/a/r/1/1/1",
    "refs/tazuna/runs/a/before",
    "refs/tazuna/snapshots/a",
    "refs/tazuna/snapshots/../1",
    "refs/tazuna/snapshots/a/1x",
    "refs/tazuna/snapshots/a/1\n",
    "refs/tazuna/live/a/r/-1/1",
  ])
    expect([name, readDepotRef(name)]).toEqual([name, null]);
});
