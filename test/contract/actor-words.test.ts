/** Who asked is told if it needs to be told: one person at one machine sees nothing new. */
import { expect, test } from "bun:test";
import { actorWords, needsNames } from "../../src/contract/words/actor-words.ts";
import { type Actor, recordedName } from "../../src/domain/actor.ts";

const OWNER: Actor = { kind: "owner", id: null, name: null };
const BROWSER: Actor = { kind: "browser", id: "b", name: null };
const MAC: Actor = { kind: "owner", id: null, name: "mac-7" };
const BOT: Actor = { kind: "token", id: "t", name: "bot" };
const ANN: Actor = { kind: "person", id: "p", name: "ann@example.com" };
const AGENT: Actor = { kind: "agent", id: null, name: "claude-code" };

test("the owner of the only machine needs no name; others, or two machines, do", () => {
  expect(needsNames([])).toBe(false);
  // An older engine says nothing.
  expect([needsNames([undefined, OWNER]), actorWords(undefined)]).toEqual([false, "-"]);
  expect(needsNames([OWNER, BROWSER, null, OWNER])).toBe(false);
  expect(needsNames([MAC, { ...BROWSER, name: "mac-7" }])).toBe(false);
  expect(needsNames([MAC, { ...OWNER, name: "ci-2" }])).toBe(true);
  for (const other of [BOT, ANN, AGENT]) expect(needsNames([null, other])).toBe(true);
});

test("each kind has its words", () => {
  const told = [null, OWNER, MAC, BROWSER, { ...BROWSER, name: "mac-7" }, BOT, ANN, AGENT].map(actorWords);
  expect(told).toEqual([
    "-",
    "owner",
    "owner of mac-7",
    "browser",
    "browser at mac-7",
    "token bot",
    "ann@example.com",
    "agent claude-code",
  ]);
});

test("records keep the name that git has for the owner, and name everybody else", () => {
  expect([OWNER, MAC, BROWSER].map(recordedName)).toEqual([null, null, null]);
  expect([BOT, ANN, AGENT].map(recordedName)).toEqual([
    'the token "bot"',
    "ann@example.com",
    "the agent claude-code",
  ]);
});
