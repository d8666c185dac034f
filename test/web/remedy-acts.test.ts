import { expect, test } from "bun:test";
import { actsOf } from "../../web/src/features/settings/remedy-acts.ts";

test.each([
  ["Read them with `cd '/a b' && tazuna trust`, or take them out.", [{ kind: "trust" }]],
  ["`tazuna clean 0123abcd --yes` puts it away.", [{ kind: "storage" }]],
  ["`tazuna trash restore 0123abcd` brings it back.", [{ kind: "storage" }]],
  ["`tazuna cancel 0123abcd` tries at once.", [{ kind: "cancel", id: "0123abcd" }]],
  ["`git lfs install`, then `git lfs install`", [{ kind: "copy", command: "git lfs install" }]],
  ["Correct `copy` in the configuration.", []],
])("%s", (remedy, acts) => {
  expect(actsOf(remedy)).toEqual(acts as unknown as ReturnType<typeof actsOf>);
});
