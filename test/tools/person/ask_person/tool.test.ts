import { describe, expect, test } from "bun:test";
import type { AskPerson, PersonAnswer, PersonQuestion } from "../../../../src/tools/core/context.ts";
import { toolkitIn } from "../../toolkit-in.ts";

/** A toolkit whose person answers like that, and what the person was asked. */
async function personAnswering(answer: PersonAnswer | AskPerson) {
  const asked: PersonQuestion[] = [];
  const askPerson: AskPerson = async (question, options) => {
    asked.push(question);
    return typeof answer === "function" ? answer(question, options) : answer;
  };
  const bench = await toolkitIn({}, { askPerson });
  return { asked, ...bench };
}

describe("ask_person", () => {
  test("is offered only if a person can be asked; without one, the answer says so", async () => {
    await using nobody = await toolkitIn();
    expect(nobody.toolkit.definitions.map(({ name }) => name)).not.toContain("ask_person");
    expect(await nobody.toolkit.askPerson({ question: "Which?" })).toMatchObject({
      status: "failure",
      error: { code: "NO_PERSON" },
    });
    await using somebody = await personAnswering({ kind: "text", text: "This." });
    expect(somebody.toolkit.definitions.map(({ name }) => name)).toContain("ask_person");
  });

  test("hands the question on in one form, and answers with the words or the option", async () => {
    await using words = await personAnswering({ kind: "text", text: "the blue one" });
    expect(await words.invoke("ask_person", { question: "Which?" })).toEqual({
      status: "success",
      data: { answer: "the blue one", option: null },
    });
    expect(words.asked).toEqual([{ question: "Which?", options: [], allowText: true }]);
    await using choice = await personAnswering({ kind: "option", label: "red" });
    const options = ["blue", { label: "red", description: "as the logo" }, { label: "green" }];
    expect(await choice.invoke("ask_person", { question: "Which?", options, allow_text: false })).toEqual({
      status: "success",
      data: { answer: "red", option: "red" },
    });
    expect(choice.asked[0]).toEqual({
      question: "Which?",
      options: [
        { label: "blue", description: null },
        { label: "red", description: "as the logo" },
        { label: "green", description: null },
      ],
      allowText: false,
    });
  });

  test("no answer is never a yes: a person who declines, and a question that is not open any more, are failures", async () => {
    await using declined = await personAnswering({ kind: "declined", words: "ask Ann" });
    expect(await declined.invoke("ask_person", { question: "Which?" })).toMatchObject({
      status: "failure",
      error: { code: "DECLINED", message: expect.stringContaining("ask Ann"), details: { words: "ask Ann" } },
    });
    await using withdrawn = await personAnswering({ kind: "withdrawn", reason: "It is gone." });
    expect(await withdrawn.invoke("ask_person", { question: "Which?" })).toMatchObject({
      status: "failure",
      error: { code: "WITHDRAWN", message: expect.stringContaining("It is gone. Nobody answered") },
    });
  });

  test("a call that is stopped says so, whatever came", async () => {
    const stop = new AbortController();
    await using bench = await personAnswering(async () => {
      stop.abort();
      return { kind: "text", text: "Yes." };
    });
    expect(await bench.toolkit.askPerson({ question: "Which?" }, { signal: stop.signal })).toMatchObject({
      status: "failure",
      error: { code: "CANCELED" },
    });
  });

  test.each([
    [{}, "question is required."],
    [{ question: "" }, "question: must not be empty."],
    [{ question: "x".repeat(4001) }, "question: must not be longer than 4000 characters."],
    [{ question: "?", options: Array.from({ length: 11 }, String) }, "must not have more than 10 options"],
    [{ question: "?", options: ["a", { label: "a" }] }, "must not have a label twice"],
    [{ question: "?", options: [7] }, "must be a text or { label, description? }"],
    [{ question: "?", options: [{ label: "" }] }, "options"],
    [{ question: "?", allow_text: false }, "options: must not be empty if `allow_text` is false"],
  ])("wrong arguments %# are refused and name the wrong one", async (args, words) => {
    await using bench = await personAnswering({ kind: "text", text: "x" });
    expect(await bench.invoke("ask_person", args)).toMatchObject({
      error: { code: "INVALID_ARGUMENT", message: expect.stringContaining(words) },
    });
    expect(bench.asked).toEqual([]);
  });
});
