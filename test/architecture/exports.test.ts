import { describe, expect, test } from "bun:test";
import PACKAGE from "../../package.json" with { type: "json" };
import { codeIn, exportsOf, type Taken, takenBy } from "./exports.ts";

const product = codeIn(["src", "web"]);
const around = codeIn(["test", "bench", "scripts"]);

/** Whether one of these takes the name out of the file. */
function taker(taken: readonly Taken[]): (path: string, name: string) => boolean {
  const all = new Set(taken.map(({ from, name }) => `${from}#${name}`));
  return (path, name) => all.has(`${path}#${name}`) || all.has(`${path}#*`);
}

const byProduct = taker(product.flatMap(({ path, text }) => takenBy(path, text)));
const byOthers = taker(around.flatMap(({ path, text }) => takenBy(path, text)));
/** What the package offers to others is called from outside: `dist/NAME.js` is made of `src/NAME.ts`. */
const doors = Object.values(PACKAGE.exports).map(({ default: built }) =>
  built.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts"),
);
const all = product
  .flatMap(({ path, text }) => exportsOf(text).map((one) => ({ path, ...one })))
  .filter(({ path }) => !doors.includes(path));

describe("exports", () => {
  test("everything that is exported is used by the product, not by tests alone", () => {
    const idle = all.filter(({ path, name, usedInside }) => !usedInside && !byProduct(path, name));
    expect(idle.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });

  test("only names that other files use are exported, types too", () => {
    const own = all.filter(({ path, name }) => !byProduct(path, name) && !byOthers(path, name));
    expect(own.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
  });
});

describe("the reader of exports", () => {
  test("sees declarations, lists and whether the file uses them itself", () => {
    const text = `
      /** export const commented = 1; */
export const a = 1;
export async function b() { return a; }
export interface C { readonly d: number }
export type { E } from "./e.ts";
export { f as g, type H } from "./f.ts";
const f = 1;
    `;
    expect(exportsOf(text)).toEqual([
      { name: "a", isType: false, usedInside: true },
      { name: "b", isType: false, usedInside: false },
      { name: "C", isType: true, usedInside: false },
      { name: "E", isType: true, usedInside: false },
      { name: "g", isType: false, usedInside: true },
      { name: "H", isType: true, usedInside: false },
    ]);
  });

  test("sees named, renamed, whole, re-exported and dynamic imports", () => {
    const text = `
      import { a, type B as C } from "./a.ts";
      import type { D } from "../d.ts";
      import * as e from "./e.ts";
      e.one(e.two, other.e.three);
      export { f } from "./f.ts";
      const { g, h: i } = await import("./g.ts");
      load: () => import("./j.ts"),
      import { k } from "package";
    `;
    expect(takenBy("src/room/file.ts", text)).toEqual([
      { from: "src/room/a.ts", name: "a" },
      { from: "src/room/a.ts", name: "B" },
      { from: "src/d.ts", name: "D" },
      { from: "src/room/e.ts", name: "one" },
      { from: "src/room/e.ts", name: "two" },
      { from: "src/room/f.ts", name: "f" },
      { from: "src/room/g.ts", name: "g" },
      { from: "src/room/g.ts", name: "h" },
      { from: "src/room/j.ts", name: "*" },
    ]);
  });
});
