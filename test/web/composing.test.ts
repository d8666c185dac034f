/** Holds which keys are left to the conversion of what is being typed. */
import { expect, test } from "bun:test";
import { isComposing } from "../../web/src/data/keys/composing.ts";

test("a key is the input method's while it converts, and in Safari also when it just has", () => {
  expect(isComposing({ isComposing: true, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 229 })).toBe(true);
  expect(isComposing({ isComposing: false, keyCode: 13 })).toBe(false);
});
