/** Holds by which first bytes a file counts as a picture that a page may show. */
import { expect, test } from "bun:test";
import { pictureType } from "../../../src/domain/read/picture-type.ts";

const of = (text: string) => pictureType(Uint8Array.from(text, (sign) => sign.charCodeAt(0)));

test("a picture is known by its first bytes, and what may hold a script is none", () => {
  expect(of("\x89PNG\r\n\x1a\n....")).toBe("image/png");
  expect(of("\xff\xd8\xff\xe0")).toBe("image/jpeg");
  expect(of("GIF89a\x01")).toBe("image/gif");
  expect(of("RIFF\n\0\0\0WEBPVP8 ")).toBe("image/webp");
  expect(of("\0\0\0 ftypavif")).toBe("image/avif");
  for (const other of ["", "<svg>", " GIF89a", "<html>GIF89a", "RIFF....WAVE", "GIF88a"])
    expect(of(other)).toBeNull();
});
