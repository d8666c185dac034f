/** Tells how many entries may begin within a minute: of one address, of one network, and in all. */
import { expect, test } from "bun:test";
import { createEntryLimit } from "../../src/api/http/entry-limit.ts";

function limited() {
  const clock = { now: 1_000_000 };
  const reported: string[] = [];
  const limit = createEntryLimit({
    now: () => clock.now,
    report: (error) => void reported.push(String(error)),
  });
  const begun = (address: string | undefined, times: number) =>
    Array.from({ length: times }, () => limit.secondsToWait(address)).filter((wait) => wait === null).length;
  return { clock, reported, limit, begun };
}

test("an address begins 120 within a minute, then waits until the minute is over", () => {
  const { clock, reported, limit, begun } = limited();
  expect(begun("203.0.113.7", 200)).toBe(120);
  clock.now += 44_500;
  expect([limit.secondsToWait("203.0.113.7"), limit.secondsToWait("203.0.113.8")]).toEqual([16, null]);
  clock.now += 15_500;
  expect(begun("203.0.113.7", 200)).toBe(120);
  expect(reported).toEqual(
    Array.from(
      { length: 2 },
      () => "203.0.113.7 began 120 sign-ins within a minute; more are refused until it is over.",
    ),
  );
});

test("many addresses begin 600 in all", () => {
  const { reported, begun } = limited();
  const all = Array.from({ length: 200 }, (_, index) => begun(`203.0.113.${index}`, 10));
  expect(all.reduce((sum, each) => sum + each, 0)).toBe(600);
  expect(reported).toEqual([
    "All together began 600 sign-ins within a minute; more are refused until it is over.",
  ]);
});

test("the addresses of one network of version 6 count as one, however they are written", () => {
  const same = [
    "2001:db8:0:7::1",
    "2001:DB8::7:1:2:3:4",
    "2001:0db8:0000:0007:ffff::",
    "2001:db8:0:7::9%eth0",
  ];
  const { limit, begun } = limited();
  expect(same.map((address) => begun(address, 30))).toEqual([30, 30, 30, 30]);
  expect(same.map((address) => limit.secondsToWait(address))).toEqual([60, 60, 60, 60]);
  expect([begun("203.0.113.7", 100), begun("::ffff:203.0.113.7", 100)]).toEqual([100, 20]);
  expect([limit.secondsToWait("2001:db8:0:8::1"), limit.secondsToWait("::1")]).toEqual([null, null]);
});
