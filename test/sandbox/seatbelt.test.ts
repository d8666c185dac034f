import { expect, test } from "bun:test";
import { seatbeltArgv } from "../../src/sandbox/seatbelt.ts";

test("the rules of macOS stand in the order of the layers, with paths quoted (not run on a Mac)", () => {
  const argv = seatbeltArgv(["agent", "--go"], {
    program: "/usr/bin/sandbox-exec",
    temporary: "/data/tmp",
    network: "none",
    layers: [
      { path: '/home/a "b"\\c', kind: "hidden", is: "folder" },
      { path: "/home/work", kind: "writable", is: "folder" },
      { path: "/home/work/.git", kind: "read-only", is: "file" },
      { path: "/home/store", kind: "own", from: "/data/own/store", is: "folder" },
    ],
  });
  expect(argv).toEqual([
    "/usr/bin/sandbox-exec",
    "-p",
    `(version 1)
(allow default)
(deny file-write*)
(allow file-write* (subpath "/dev"))
(deny signal)
(allow signal (target same-sandbox))
(deny network*)
(deny file-read-data file-read-xattr file-write* (subpath "/home/a \\"b\\"\\\\c"))
(allow file-read* (subpath "/home/work"))
(allow file-write* (subpath "/home/work"))
(allow file-read* (literal "/home/work/.git"))
(deny file-write* (literal "/home/work/.git"))
(allow file-read* (subpath "/home/store"))
(allow file-write* (subpath "/home/store"))
(allow file-read* file-write* (subpath "/data/tmp"))
`,
    "agent",
    "--go",
  ]);
});
